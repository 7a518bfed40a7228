// Calendar files and feeds out of kept items.

export interface IcsEvent {
  uid: string
  sequence: number
  title: string
  description: string
  startsAt: Date
  endsAt: Date | null
  allDay: boolean
  /** Local days of an event that lasts whole days. */
  firstDay: string
  lastDay: string | null
  location: string
  lat: number
  lng: number
  url: string | null
  category: string
  status: string
  updatedAt: Date
}

export function toIcs(events: readonly IcsEvent[], name: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Millrace//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${icsText(name)}`,
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}

function eventLines(event: IcsEvent): string[] {
  const whole = event.allDay
  const end = whole ? nextDay(event.lastDay ?? event.firstDay) : null
  return [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${stamp(event.updatedAt)}`,
    `LAST-MODIFIED:${stamp(event.updatedAt)}`,
    `SEQUENCE:${event.sequence}`,
    whole
      ? `DTSTART;VALUE=DATE:${event.firstDay.replaceAll('-', '')}`
      : `DTSTART:${stamp(event.startsAt)}`,
    ...(whole
      ? [`DTEND;VALUE=DATE:${end}`]
      : event.endsAt === null
        ? []
        : [`DTEND:${stamp(event.endsAt)}`]),
    `SUMMARY:${icsText(event.title)}`,
    ...(event.description === '' ? [] : [`DESCRIPTION:${icsText(event.description)}`]),
    `LOCATION:${icsText(event.location)}`,
    `GEO:${event.lat};${event.lng}`,
    `CATEGORIES:${icsText(event.category.toUpperCase())}`,
    ...(event.url === null ? [] : [`URL:${event.url}`]),
    `STATUS:${event.status === 'cancelled' || event.status === 'vanished' ? 'CANCELLED' : event.status === 'postponed' ? 'TENTATIVE' : 'CONFIRMED'}`,
    'END:VEVENT',
  ]
}

export interface RssItem {
  id: string
  title: string
  url: string | null
  description: string
  at: Date
  author: string | null
  categories: readonly string[]
}

export function toRss(
  items: readonly RssItem[],
  channel: { title: string; link: string; description: string },
): string {
  const entries = items.map(
    (item) =>
      `<item><title>${xml(item.title)}</title>${item.url === null ? '' : `<link>${xml(item.url)}</link>`}<guid isPermaLink="false">${xml(
        item.id,
      )}</guid><pubDate>${item.at.toUTCString()}</pubDate><description>${xml(item.description)}</description>${
        item.author === null ? '' : `<dc:creator>${xml(item.author)}</dc:creator>`
      }${item.categories.map((category) => `<category>${xml(category)}</category>`).join('')}</item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>${xml(channel.title)}</title><link>${xml(
    channel.link,
  )}</link><description>${xml(channel.description)}</description>${entries.join('\n')}</channel></rss>
`
}

function stamp(date: Date): string {
  return date.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}

function icsText(text: string): string {
  return text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r?\n/g, String.raw`\n`)
}

/** Lines of at most 75 bytes, as the standard wants; a character is never cut in two. */
function folded(line: string): string {
  let out = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > 75) {
      out += '\r\n '
      bytes = 1
    }
    out += character
    bytes += size
  }
  return out
}

function xml(text: string): string {
  return text
    .replaceAll(/[<>&"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replaceAll(/(?![\n\r\t])\p{Cc}/gu, '')
}
