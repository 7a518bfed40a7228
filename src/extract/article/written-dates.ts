// Full dates, with a year, as pages write them in the languages seen most.

export interface WrittenDate {
  /** YYYY-MM-DD */
  day: string
  index: number
}

/** The first full date in a text, or null. */
export function firstDate(text: string, monthFirst: boolean): WrittenDate | null {
  return allDates(text, monthFirst, 1)[0] ?? null
}

/** The full dates in a text, in order; at most `limit`. */
export function allDates(text: string, monthFirst: boolean, limit: number): WrittenDate[] {
  const found: WrittenDate[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const day = dayOf(match.groups ?? {}, monthFirst)
    if (day !== null) {
      found.push({ day, index: match.index })
      if (found.length >= limit) break
    } else pattern.lastIndex = match.index + 1
  }
  return found
}

/** Year first; two numbers and a year; day, month name, year; month name, day, year. */
const pattern = new RegExp(
  [
    String.raw`(?<!\d)(?<y1>(?:19|20)\d\d)(?:\s?[-./]\s?|\s?[年년]\s?)(?<m1>\d{1,2})(?:\s?[-./]\s?|\s?[月월]\s?)(?<d1>\d{1,2})(?!\d)`,
    String.raw`(?<!\d)(?<y5>20\d\d)(?<m5>[01]\d)(?<d5>[0-3]\d)(?!\d)`,
    String.raw`(?<![\d.:/-])(?<a2>\d{1,2})\s?(?<s2>[-./])\s?(?<b2>\d{1,2})\s?\k<s2>\s?(?<y2>(?:19|20)\d\d|\d\d)(?![\d:])`,
    String.raw`(?<!\d)(?<d3>\d{1,2})(?:\.|st|nd|rd|th|er|º|ª|\.º)?[\s-]{1,3}(?:of\s|de\s|d['’]|den\s)?(?<m3>\p{L}{3,14})\.?,?(?:\s?/\s?\p{L}{3,14})?[\s/-]{1,3}(?:de[l]?\s)?(?<y3>(?:19|20)\d\d)(?!\d)`,
    String.raw`(?<!\p{L})(?<m4>\p{L}{3,14})\.?\s{1,3}(?<d4>\d{1,2})(?:st|nd|rd|th)?\.?,?\s{1,3}(?<y4>(?:19|20)\d\d)(?!\d)`,
    String.raw`(?<!\d)(?<d6>\d{1,2})\s(?<m6>\p{L}{3,14})\s['’](?<y6>\d\d)(?!\d)`,
  ].join('|'),
  'giu',
)

function dayOf(groups: Record<string, string | undefined>, monthFirst: boolean): string | null {
  const get = (name: string): string => groups[name] ?? ''
  if (groups['y1'] !== undefined) return toDay(get('y1'), Number(get('m1')), Number(get('d1')))
  if (groups['y5'] !== undefined) return toDay(get('y5'), Number(get('m5')), Number(get('d5')))
  if (groups['y2'] !== undefined) {
    const a = Number(get('a2'))
    const b = Number(get('b2'))
    const year = get('y2').length === 2 ? `20${get('y2')}` : get('y2')
    const swap = b > 12 || (monthFirst && a <= 12 && get('s2') !== '.')
    return swap ? toDay(year, a, b) : toDay(year, b, a)
  }
  if (groups['y3'] !== undefined) return toDay(get('y3'), monthOf(get('m3')), Number(get('d3')))
  if (groups['y4'] !== undefined) return toDay(get('y4'), monthOf(get('m4')), Number(get('d4')))
  return toDay(`20${get('y6')}`, monthOf(get('m6')), Number(get('d6')))
}

function toDay(year: string, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  // 31 April is no date.
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.getUTCDate() !== day ? null : text
}

/** 1 to 12, or 0 when the word is no month. */
function monthOf(word: string): number {
  const plain = word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  return months.get(plain) ?? 0
}

const monthWords = [
  'january jan januar janner jaenner januari janvier janv enero ene gennaio gen janeiro stycznia styczen sty ocak ianuarie leden ledna sijecnja siechnia tammikuuta января январь янв січня јануар jaanuar januaris يناير كانون ιανουαριου',
  'february feb februar februari fevrier fevr fev febrero febbraio fevereiro lutego luty lut subat februarie unor unora veljace helmikuuta февраля февраль фев лютого фебруар فبراير شباط φεβρουαριου pebrero',
  'march mar marz maerz mrz maart mrt mars marzo marco marca marzec mart martie brezen brezna ozujka maaliskuuta марта март березня مارس اذار μαρτιου marcius marso maret',
  'april apr avril avr abril abr aprile kwietnia kwiecien kwi nisan aprilie duben dubna travnja huhtikuuta апреля апрель апр квітня април ابريل نيسان απριλιου aprilis',
  'may mai mei mayo maggio mag maio maja maj mayis kveten kvetna svibnja toukokuuta мая май травня мај مايو ايار μαιου majus',
  'june jun juni juin junio giugno giu junho czerwca czerwiec cze haziran iunie cerven cervna lipnja kesakuuta июня июнь июн червня јун يونيو حزيران ιουνιου junius hunyo',
  'july jul juli juillet juil julio luglio lug julho lipca lipiec lip temmuz iulie cervenec cervence srpnja heinakuuta июля июль июл липня јул يوليو تموز ιουλιου julius hulyo',
  'august aug augustus aout agosto ago agustos sierpnia sierpien sie srpen srpna kolovoza elokuuta августа август авг серпня اغسطس اب αυγουστου augusztus agustus',
  'september sep sept septembre septiembre settembre set setembro wrzesnia wrzesien wrz eylul septembrie zari rujna syyskuuta сентября сентябрь сен вересня септембар سبتمبر ايلول σεπτεμβριου szeptember setyembre',
  'october oct okt oktober octobre octubre ottobre ott outubro out pazdziernika pazdziernik paz ekim octombrie rijen rijna lokakuuta октября октябрь окт жовтня октобар اكتوبر تشرين οκτωβριου oktubre',
  'november nov novembre noviembre novembro listopad listopada lis kasim noiembrie studenoga marraskuuta ноября ноябрь ноя листопада новембар نوفمبر νοεμβριου nobyembre',
  'december dec dez dezember decembre diciembre dic dicembre dezembro grudnia grudzien gru aralik decembrie prosinec prosince prosinca joulukuuta декабря декабрь дек грудня децембар ديسمبر δεκεμβριου disyembre desember',
]
const months = new Map(
  monthWords.flatMap((words, i) => words.split(' ').map((word) => [word, i + 1] as const)),
)
