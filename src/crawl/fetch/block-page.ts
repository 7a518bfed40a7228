// Pages that answer 200 and mean 403: recognized by what such pages say, only when the page is short enough to be one.

import { visibleWords } from '../../kernel/visible-text.ts'

const titles =
  /^(?:just a moment|attention required|access denied|are you a robot|are you human|robot check|security check|verify(?:ing)? you are human|ddos-guard|pardon our interruption|please wait|checking your browser|request blocked|bot verification|toegang geweigerd)/i
const marks = [
  'cf-challenge',
  'cf_chl_opt',
  '/cdn-cgi/challenge-platform/',
  'g-recaptcha',
  'h-captcha',
  'hcaptcha.com',
  'captcha-delivery.com',
  'px-captcha',
  '_incapsula_resource',
  'ddos-guard',
  'distil_r_captcha',
  'awswaf',
  'turnstile',
]
const phrases =
  /(?:verify (?:that )?you are (?:a )?human|unusual traffic|complete the (?:security check|captcha)|enable javascript and cookies to continue|bewijs dat je geen robot bent|automated (?:access|requests?))/i
const longestBlockPage = 60_000
/** No challenge says as much; counting stops there, so that a page of content costs next to nothing. */
const mostWords = 400
const fewWords = 150

/** Why a page is a challenge or a block rather than content; null when it is content. */
export function blockPageReason(html: string, title: string | null): string | null {
  if (html.length > longestBlockPage) return null
  if (title !== null && titles.test(title.trim())) return `title "${title.trim().slice(0, 80)}"`
  const words = visibleWords(html, mostWords)
  if (words >= mostWords) return null
  const lower = html.toLowerCase()
  const mark = marks.find((text) => lower.includes(text))
  const phrase = phrases.exec(html)?.[0]
  if (mark !== undefined && phrase !== undefined) return `challenge "${mark}"`
  // A contact form may carry a captcha; a page that is nothing but one has hardly any text.
  if (words > fewWords) return null
  return mark !== undefined
    ? `challenge "${mark}"`
    : phrase !== undefined
      ? `says "${phrase}"`
      : null
}
