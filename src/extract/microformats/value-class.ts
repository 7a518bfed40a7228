import { isTag, type ChildNode, type Element } from 'domhandler'
import { elementText } from '../schema-org/element-value.ts'

const CLOCK = /^(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?\s*([ap])\.?m\.?/i
const TIME = /^\d{1,2}:\d{2}/
const DATE = /^\d{4}-\d{2,3}(?:-\d{2})?$/

/** A date property, put together from its `value` parts when it is written in several. */
export function dateValue(element: Element): string {
  const parts = valueParts(element)
  if (parts.length === 0) return plainDate(element)
  let date = ''
  let time = ''
  let zone = ''
  for (const part of parts) {
    const text = plainDate(part).trim()
    if (/^(?:Z|[+-]\d{1,2}:?\d{0,2})$/.test(text)) zone ||= text
    else if (DATE.test(text)) date ||= text
    else if (CLOCK.test(text) || TIME.test(text)) time ||= clock(text)
    else if (date === '') date = text
  }
  return `${date}${date !== '' && time !== '' ? 'T' : ''}${time}${zone}`
}

/** A text property, by its `value` parts when it has them. */
export function textValue(element: Element): string {
  const parts = valueParts(element)
  if (parts.length > 0) return parts.map(plainText).join(' ').trim()
  return plainText(element)
}

/** A clock time alone belongs to the day of the start. */
export function withDayOf(value: string, start: string | undefined): string {
  const day = start?.match(/^\d{4}-\d{2,3}(?:-\d{2})?/)?.[0]
  return day !== undefined && TIME.test(value) ? `${day}T${value}` : value
}

function valueParts(element: Element): Element[] {
  const parts: Element[] = []
  const visit = (nodes: readonly ChildNode[]): void => {
    for (const node of nodes) {
      if (!isTag(node)) continue
      const classes = (node.attribs['class'] ?? '').split(/\s+/)
      if (classes.includes('value') || classes.includes('value-title')) parts.push(node)
      else if (!classes.some((name) => /^(?:h|p|u|dt|e)-/.test(name))) visit(node.children)
    }
  }
  visit(element.children)
  return parts
}

function plainDate(element: Element): string {
  const { attribs, name } = element
  if ((attribs['class'] ?? '').split(/\s+/).includes('value-title')) return attribs['title'] ?? ''
  if (attribs['datetime'] !== undefined) return attribs['datetime'].trim()
  if ((name === 'abbr' || name === 'span') && attribs['title'] !== undefined)
    return attribs['title'].trim()
  if ((name === 'data' || name === 'input') && attribs['value'] !== undefined)
    return attribs['value'].trim()
  return elementText(element)
}

function plainText(element: Element): string {
  const { attribs, name } = element
  if ((attribs['class'] ?? '').split(/\s+/).includes('value-title')) return attribs['title'] ?? ''
  if ((name === 'abbr' || name === 'link') && attribs['title'] !== undefined)
    return attribs['title'].trim()
  if ((name === 'data' || name === 'input') && attribs['value'] !== undefined)
    return attribs['value'].trim()
  if ((name === 'img' || name === 'area') && attribs['alt'] !== undefined)
    return attribs['alt'].trim()
  return elementText(element)
}

function clock(text: string): string {
  const [, hours, minutes = '00', seconds, half] = CLOCK.exec(text) ?? []
  if (hours === undefined || half === undefined)
    return text.replace(/([+-]\d{2}):?(\d{2})$/, '$1:$2')
  const hour = (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(hour).padStart(2, '0')}:${minutes}${seconds === undefined ? '' : `:${seconds}`}`
}
