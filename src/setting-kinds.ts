// The kinds of settings: how the text of a variable becomes a value, or an error that says what was expected.

interface Setting<T> {
  variable: string
  about: string
  secret: boolean
  read(text: string | undefined): T
}

export function text(variable: string, fallback: string, about: string): Setting<string> {
  return { variable, about, secret: false, read: (given) => given ?? fallback }
}

export function optional(variable: string, about: string): Setting<string | null> {
  return { variable, about, secret: false, read: (given) => given ?? null }
}

export function secret(variable: string, about: string): Setting<string | null> {
  return { variable, about, secret: true, read: (given) => given ?? null }
}

export function integer(
  variable: string,
  fallback: number,
  range: { min: number; max: number },
  about: string,
): Setting<number> {
  return {
    variable,
    about,
    secret: false,
    read: (given) => {
      if (given === undefined) return fallback
      const value = /^-?\d+$/.test(given.trim()) ? Number(given) : NaN
      if (!Number.isSafeInteger(value) || value < range.min || value > range.max) {
        throw new Error(`"${given}" is not a whole number from ${range.min} to ${range.max}`)
      }
      return value
    },
  }
}

export function flag(variable: string, fallback: boolean, about: string): Setting<boolean> {
  return {
    variable,
    about,
    secret: false,
    read: (given) => {
      if (given === undefined) return fallback
      const word = given.trim().toLowerCase()
      if (['true', '1', 'yes', 'on'].includes(word)) return true
      if (['false', '0', 'no', 'off'].includes(word)) return false
      throw new Error(`"${given}" is neither true nor false`)
    },
  }
}

export function choice<const T extends string>(
  variable: string,
  options: readonly T[],
  fallback: NoInfer<T>,
  about: string,
): Setting<T> {
  return {
    variable,
    about,
    secret: false,
    read: (given) => {
      if (given === undefined) return fallback
      const found = options.find((option) => option === given.trim())
      if (found === undefined) throw new Error(`"${given}" is none of ${options.join(', ')}`)
      return found
    },
  }
}

export function list<const T extends string>(
  variable: string,
  options: readonly T[],
  about: string,
): Setting<readonly T[]> {
  return {
    variable,
    about,
    secret: false,
    read: (given) =>
      given === undefined ? options : given.split(',').map((word) => pick(word.trim(), options)),
  }
}

function pick<T extends string>(word: string, options: readonly T[]): T {
  const found = options.find((option) => option === word)
  if (found === undefined) throw new Error(`"${word}" is none of ${options.join(', ')}`)
  return found
}

export function words(variable: string, about: string): Setting<readonly string[]> {
  return {
    variable,
    about,
    secret: false,
    read: (given) =>
      (given ?? '')
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
  }
}
