// Undeclared text: decode it every way it could be meant and keep the reading whose letters are likeliest.
import { decodeAs } from './decode.ts'
import { CJK_LANGUAGES, LANGUAGES, type Language } from './languages.ts'

const MAX_BYTES = 1024 * 1024
const SAMPLE_CHARS = 16 * 1024
const DEFAULT = 'windows-1252'
// By far the commonest; a handful of odd characters must not talk us out of it.
const DEFAULT_BONUS = 4

/** The likeliest legacy encoding; call only for bytes that are not ASCII and not UTF-8. */
export function guessCharset(bytes: Uint8Array): string {
  const sample = sampleWords(bytes)
  if (sample.length === 0) return DEFAULT
  let best = { encoding: DEFAULT, likelihood: -Infinity }
  const consider = (encoding: string, likelihood: number): void => {
    const weighted = likelihood + (encoding === DEFAULT ? DEFAULT_BONUS : 0)
    if (weighted > best.likelihood) best = { encoding, likelihood: weighted }
  }
  const decoded = new Map<string, string>()
  for (const language of LANGUAGES) {
    for (const encoding of language.encodings) {
      const text = decoded.get(encoding) ?? decodeAs(sample, encoding)
      decoded.set(encoding, text)
      consider(encoding, singleByteLikelihood(text, model(language)))
    }
  }
  for (const { encodings, frequent } of CJK_LANGUAGES) {
    for (const encoding of encodings) consider(encoding, cjkLikelihood(sample, encoding, frequent))
  }
  return best.encoding
}

/** Words with characters outside ASCII, tags left out. No trail byte of any encoding is a space or `<`. */
function sampleWords(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_BYTES))
    .toString('latin1')
    .replace(/<(?:script|style)\b[^<>]*>[^<]*/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
  const words: string[] = []
  let chars = 0
  for (const [word] of text.matchAll(/[^\s<>]+/g)) {
    if (!/[\x80-\xFF]/.test(word)) continue
    words.push(word)
    chars += word.length
    if (chars > SAMPLE_CHARS) break
  }
  return Buffer.from(words.join(' '), 'latin1')
}

interface Model {
  latin: boolean
  sign: number
  lower: Map<string, number>
  upper: Map<string, number>
}

const models = new Map<string, Model>()

// Letter frequencies fall about as 1/rank in every script.
function model(language: Language): Model {
  const known = models.get(language.name)
  if (known) return known
  const letters = language.letters.split('')
  const total = letters.reduce((sum, _, rank) => sum + 1 / (rank + 3), 0)
  const sign = Math.log((1 - language.letterShare) / SIGNS.size)
  const built: Model = { latin: language.latin, sign, lower: new Map(), upper: new Map() }
  letters.forEach((letter, rank) => {
    const share = (language.letterShare / (rank + 3) / total) * 0.94
    built.lower.set(letter, Math.log(share))
    const capital = letter.toUpperCase()
    if (capital !== letter && capital.length === 1) built.upper.set(capital, Math.log(share * 0.06))
  })
  models.set(language.name, built)
  return built
}

const SIGNS = new Set('’‘“”„«»–—…•·©®°§№€£½¼²³´¿¡ªº™±×‹›\u00A0\u00AD‚†‡¶µ÷¢¥¦‰')
// Others neither stand between two letters nor begin a word.
const JOINING_SIGNS = new Set('–—…·•‘\u00A0\u00AD')
const OPENING_SIGNS = new Set('“„«‹‚¿¡€£©®')
const SIGN_MISPLACED = Math.log(0.00005)
const UNLIKELY = Math.log(0.00002)
const CAPITAL_INSIDE_WORD = Math.log(0.01)
const LATIN_AFTER_OWN = Math.log(0.08)
const LATIN_AFTER_ASCII = Math.log(0.92)
const SCRIPT_AFTER_OWN = Math.log(0.8)
const SCRIPT_AFTER_ASCII = Math.log(0.02)
const SCRIPT_AT_START = Math.log(0.18)
const SCRIPT_ALONE = Math.log(0.005)

function singleByteLikelihood(text: string, { latin, sign, lower, upper }: Model): number {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char < '\x80') continue
    const previous = text.charAt(at - 1)
    const next = text.charAt(at + 1)
    const own = lower.get(char) ?? upper.get(char)
    if (own === undefined) {
      sum += signLikelihood(sign, char, previous, next)
      continue
    }
    sum += own
    const afterAscii = /[a-z]/i.test(previous)
    const afterOwn = lower.has(previous) || upper.has(previous)
    if (latin) sum += afterOwn ? LATIN_AFTER_OWN : LATIN_AFTER_ASCII
    else if (afterOwn) sum += SCRIPT_AFTER_OWN
    else sum += afterAscii ? SCRIPT_AFTER_ASCII : SCRIPT_AT_START
    if (!latin && !afterOwn && !lower.has(next) && !upper.has(next)) sum += SCRIPT_ALONE
    if (upper.has(char) && (lower.has(previous) || /[a-z]/.test(previous)))
      sum += CAPITAL_INSIDE_WORD
  }
  return sum
}

function signLikelihood(sign: number, char: string, previous: string, next: string): number {
  if (!SIGNS.has(char)) return UNLIKELY
  if (JOINING_SIGNS.has(char) || !/\p{L}/u.test(next)) return sign
  if (/\p{L}/u.test(previous)) return char === '’' ? sign : SIGN_MISPLACED
  return OPENING_SIGNS.has(char) || /\S/.test(previous) ? sign : SIGN_MISPLACED
}

const FREQUENT_SHARE = 0.5
const PUNCTUATION = Math.log(0.1 / 12)
const KANA = Math.log(0.3 / 90)
const HANGUL = Math.log(0.45 / 2000)
const COMMON_HAN = Math.log(0.4 / 3000)
const RARE_HAN = Math.log(0.02 / 20_000)
const HALF_WIDTH = Math.log(0.005 / 63)
// Wrong readings seldom are well-formed pairs all along, which the letters alone do not show.
const PAIR_BONUS = 0.5
// The pair also explains an ASCII byte, which single-byte readings get for free.
const ASCII_TRAIL_BONUS = 3

function cjkLikelihood(sample: Uint8Array, encoding: string, frequent: string): number {
  const text = decodeAs(sample, encoding)
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  if (broken > text.length / 30) return -Infinity
  const ranks = new Map(frequent.split('').map((char, rank) => [char, rank]))
  const total = frequent.split('').reduce((sum, _, rank) => sum + 1 / (rank + 5), 0)
  const pairs = pairStatistics(sample, encoding)
  const han = pairs.commonShare > 0.7 ? COMMON_HAN : RARE_HAN
  let sum = broken * UNLIKELY + pairs.asciiTrails * ASCII_TRAIL_BONUS
  for (const char of text) {
    if (char < '\x80' || char === '\uFFFD') continue
    const rank = ranks.get(char)
    if (rank !== undefined) sum += Math.log(FREQUENT_SHARE / (rank + 5) / total) + PAIR_BONUS
    else sum += cjkCharLikelihood(char, han)
  }
  return sum
}

function cjkCharLikelihood(char: string, han: number): number {
  if (/[、。，！？：；「」『』（）・ー　“”…·]/.test(char)) return PUNCTUATION + PAIR_BONUS
  if (/[\u3041-\u30FF]/.test(char)) return KANA + PAIR_BONUS
  if (/[\uAC00-\uD7A3]/.test(char)) return HANGUL + PAIR_BONUS
  if (/[\uFF61-\uFF9F]/.test(char)) return HALF_WIDTH
  if (/[\u4E00-\u9FFF]/.test(char)) return han + PAIR_BONUS
  return RARE_HAN
}

/** Standards put everyday characters first: the share of pairs that begin in that range. */
function pairStatistics(
  sample: Uint8Array,
  encoding: string,
): { commonShare: number; asciiTrails: number } {
  const [low, high] = COMMON_LEADS[encoding] ?? [0x80, 0xff]
  let pairs = 0
  let common = 0
  let asciiTrails = 0
  for (let at = 0; at < sample.length; at += 1) {
    const lead = sample[at] ?? 0
    if (lead < 0x80 || (encoding === 'shift_jis' && lead >= 0xa0 && lead < 0xe0)) continue
    pairs += 1
    if (lead >= low && lead <= high) common += 1
    at += 1
    if ((sample[at] ?? 0x80) < 0x80) asciiTrails += 1
  }
  return { commonShare: pairs === 0 ? 0 : common / pairs, asciiTrails }
}

const COMMON_LEADS: Record<string, [number, number]> = {
  shift_jis: [0x81, 0x97],
  'euc-jp': [0xa1, 0xcf],
  'euc-kr': [0xa1, 0xc8],
  gb18030: [0xa1, 0xd7],
  big5: [0xa1, 0xc6],
}
