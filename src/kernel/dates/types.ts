// Dates as people write them. Local values are wall-clock text: `2026-05-20` or `2026-05-20T20:30`.

export interface DateOptions {
  /** Local reference, `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`: a date without a year is the first one on or after it. */
  ref: string
  /** Language of the text when known; without it Dutch and English are tried first. */
  lang?: string | null
  /** Turn "in the evening" into hours; otherwise it only decides between am and pm. */
  vagueHours?: boolean
}

export interface DateMatch {
  start: string
  /** Last day or closing time, included in the match; null when the text names none. */
  end: string | null
  allDay: boolean
  /** 0 to 1: how much of the date stood in the text and was not guessed. */
  certainty: number
  /** "Z" or "+02:00" when the text states one: the instant is `toInstant(start + offset, zone)`. */
  offset?: string
  /** The matched text and where it begins. */
  text: string
  index: number
}
