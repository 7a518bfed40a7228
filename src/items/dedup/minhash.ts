// Near-duplicates of texts: the smallest hashes of their word groups, compared instead of the texts.

const hashes = 64
const shingleWords = 4
const fewestWords = 30
/** Pairs of hashes of which one must agree for two texts to be compared at all: finds 94 % of those that share half. */
const bands = 10
const rowsPerBand = 2

const firstBit = 0x80000000 | 0

const multipliers = seeds(0x9e3779b1)
const increments = seeds(0x85ebca6b)

export type Signature = Uint32Array

/** 64 numbers of 32 bits as hex; null for texts too short to say anything. */
export function minhash(text: string): string | null {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length < fewestWords) return null
  const shingles = shinglesOf(words.map(hashWord))
  const least = new Uint32Array(hashes)
  // Hash by hash, in whole numbers of 32 bits: all of a step stays in registers. With the first bit turned, signed
  // numbers have the order of unsigned ones.
  for (let h = 0; h < hashes; h++) {
    const multiplier = multipliers[h] as number
    const increment = increments[h] as number
    let smallest = 0x7fffffff
    for (let i = 0; i < shingles.length; i++) {
      const value = mixed(Math.imul(shingles[i] as number, multiplier) + increment) ^ firstBit
      if (value < smallest) smallest = value
    }
    least[h] = smallest ^ firstBit
  }
  return Buffer.from(least.buffer).toString('hex')
}

/** Groups of words that follow each other, each as one number. */
function shinglesOf(words: readonly number[]): Int32Array {
  const shingles = new Int32Array(words.length - shingleWords + 1)
  for (let i = 0; i < shingles.length; i++) {
    let shingle = 0x811c9dc5
    for (let j = 0; j < shingleWords; j++)
      shingle = Math.imul(shingle ^ (words[i + j] ?? 0), 0x01000193)
    shingles[i] = shingle
  }
  return shingles
}

/** A stored signature as its numbers. */
export function signatureOf(bytes: Uint8Array): Signature {
  return new Uint32Array(new Uint8Array(bytes).buffer, 0, hashes)
}

/** The share of word groups two texts have in common, estimated. */
export function minhashSimilarity(a: Signature, b: Signature): number {
  let equal = 0
  for (let h = 0; h < hashes; h++) if (a[h] === b[h]) equal++
  return equal / hashes
}

/** Keys under which similar texts meet. */
export function minhashKeys(numbers: Signature): bigint[] {
  return Array.from({ length: bands }, (_, band) => {
    const first = numbers[band * rowsPerBand] ?? 0
    const second = numbers[band * rowsPerBand + 1] ?? 0
    return BigInt.asIntN(
      64,
      (BigInt(mix(first ^ Math.imul(band + 1, 0x27d4eb2f))) << 32n) | BigInt(mix(second + band)),
    )
  })
}

function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash
}

function mix(value: number): number {
  return mixed(value) >>> 0
}

function mixed(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return x ^ (x >>> 16)
}

function seeds(start: number): Int32Array {
  const numbers = new Int32Array(hashes)
  let x = start
  for (let i = 0; i < hashes; i++) {
    x = mix(x + 0x9e3779b9)
    numbers[i] = x | 1
  }
  return numbers
}
