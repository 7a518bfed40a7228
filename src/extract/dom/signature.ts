import type { Element } from 'domhandler'
import { parentOf } from './text-of.ts'

const DEPTH = 5
const STATE_CLASS =
  /^(?:.*\d.*|odd|even|alt|.*(?:alt|odd|even)row|row|first|last|active|current|selected|open|closed|collapsed|clearfix|show|hide|hidden|past|upcoming|today|is-.*|has-.*)$/i

/** Elements of the same shape and place have the same signature: tag and class, then the tags around it. */
export function signatureOf(element: Element): string {
  let signature = `${element.name}.${className(element)}`
  let current = parentOf(element)
  for (let step = 0; step < DEPTH && current !== null; step += 1) {
    signature += `<${current.name}`
    current = parentOf(current)
  }
  return signature
}

/** A short CSS-like path for people: where on the page something was found. */
export function pathOf(element: Element): string {
  const parts: string[] = []
  let current: Element | null = element
  for (let step = 0; step < 4 && current !== null; step += 1) {
    const name = className(current)
    parts.unshift(name === '' ? current.name : `${current.name}.${name}`)
    if (current.attribs['id'] !== undefined && /^[\w-]{1,40}$/.test(current.attribs['id'])) {
      parts[0] = `${current.name}#${current.attribs['id']}`
      break
    }
    current = parentOf(current)
  }
  return parts.join(' > ')
}

function className(element: Element): string {
  const classes = (element.attribs['class'] ?? '').slice(0, 300).split(/\s+/)
  return classes.find((name) => name !== '' && !STATE_CLASS.test(name)) ?? ''
}
