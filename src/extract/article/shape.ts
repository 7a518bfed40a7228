/** Counts over one block's text, made in a single pass. */
export interface TextShape {
  words: number
  letters: number
  upper: number
  digits: number
  commas: number
  /** Sentence ends: . ! ? and their relatives followed by a space or the end. */
  stops: number
  symbols: number
  /** Words that start with a lower-case letter: running text has many, labels have few. */
  lowerWords: number
  endsSentence: boolean
  /** There are other blanks in it than single spaces between words. */
  untidy: boolean
}

export function shapeOf(text: string): TextShape {
  let words = 0
  let letters = 0
  let upper = 0
  let digits = 0
  let commas = 0
  let stops = 0
  let symbols = 0
  let lowerWords = 0
  let wide = 0
  let inWord = false
  let blankAt = -2
  let untidy = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 97 && code <= 122) {
      letters++
      if (!inWord) {
        words++
        lowerWords++
        inWord = true
      }
    } else if (code >= 65 && code <= 90) {
      letters++
      upper++
      if (!inWord) {
        words++
        inWord = true
      }
    } else if (code >= 48 && code <= 57) {
      digits++
      if (!inWord) {
        words++
        inWord = true
      }
    } else if (code === 32 || code === 10 || code === 9 || code === 160) {
      inWord = false
      if (code !== 32 || blankAt === i - 1) untidy = true
      blankAt = i
    } else if (code < 192 || (code >= 0x2000 && code <= 0x2bff)) {
      if (code < 32 || (code >= 0x2000 && isRareBlank(code))) untidy = true
      if (code === 44 || code === 59) commas++
      else if (code === 46 || code === 33 || code === 63) {
        const next = text.charCodeAt(i + 1)
        if (!(next > 32)) stops++
      } else if (code !== 39 && code !== 0x2019 && code !== 45) symbols++
      if (code !== 39 && code !== 0x2019) inWord = false
    } else if (code >= 0x3000 && code <= 0xfaff) {
      // Scripts without spaces: two characters stand for about one word.
      if (code === 0x3000) untidy = true
      if (code === 0x3001 || code === 0xff0c) commas++
      else if (code === 0x3002) stops++
      else if (code < 0xac00 || code > 0xd7a3) {
        wide++
        letters++
      } else {
        letters++
        if (!inWord) {
          words++
          lowerWords++
        }
        inWord = true
      }
    } else {
      if (code === 0x1680 || code === 0xfeff) untidy = true
      if (code === 0xff0c || code === 0x60c) commas++
      else if (code === 0x964 || code === 0x6d4) stops++
      letters++
      if (!inWord) {
        words++
        lowerWords++
        inWord = true
      }
    }
  }
  const half = wide >> 1
  return {
    words: words + half,
    letters,
    upper,
    digits,
    commas,
    stops,
    symbols,
    lowerWords: lowerWords + half,
    endsSentence: /[.!?…。！？।۔:]["'”’»)\]]*$/.test(text.slice(-6)),
    untidy,
  }
}

/** Whether a sign of general punctuation may be a blank. */
function isRareBlank(code: number): boolean {
  return code <= 0x200b || (code >= 0x2028 && code <= 0x205f)
}
