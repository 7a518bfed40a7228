import type { Alert } from './alerts.ts'

/** One message for people, before it takes the form of its target. */
export interface Message {
  type: 'alerts' | 'round'
  title: string
  /** Short facts side by side. */
  facts: { name: string; value: string }[]
  /** One line each. */
  lines: string[]
  data: Record<string, unknown>
}

const mostLines = 20
/** Slack refuses longer texts. */
const longestText = 2900

/** One digest for everything that changed since the last look. */
export function alertMessage(opened: readonly Alert[], closed: readonly Alert[]): Message {
  const lines = [
    ...opened.map((alert) => `Open: ${alert.title}`),
    ...closed.map((alert) => `Over: ${alert.title}`),
  ]
  const rest = lines.length - mostLines
  return {
    type: 'alerts',
    title:
      opened.length === 0
        ? `${plural(closed.length, 'alert')} over`
        : plural(opened.length, 'new alert'),
    facts: [],
    lines: rest <= 0 ? lines : [...lines.slice(0, mostLines), `and ${rest} more`],
    data: { opened: opened.map(plain), closed: closed.map(plain) },
  }
}

export interface RoundFigures {
  processed: number
  inserted: number
  updated: number
  skipped: number
  errors: number
  breakersTripped: readonly string[]
  deadLetters: number
}

export function roundMessage(
  round: { id: string; createdAt: Date; completedAt: Date | null },
  figures: RoundFigures,
): Message {
  const tripped = figures.breakersTripped
  return {
    type: 'round',
    title: 'Crawl round complete',
    facts: [
      { name: 'Sources', value: String(figures.processed) },
      { name: 'New', value: String(figures.inserted) },
      { name: 'Updated', value: String(figures.updated) },
      { name: 'Skipped', value: String(figures.skipped) },
      { name: 'Errors', value: String(figures.errors) },
      { name: 'Dead letters', value: String(figures.deadLetters) },
    ],
    lines:
      tripped.length === 0
        ? []
        : [`Circuits opened: ${tripped.slice(0, mostLines).join(', ')}${more(tripped.length)}`],
    data: {
      run_id: round.id,
      started_at: round.createdAt.toISOString(),
      completed_at: round.completedAt?.toISOString() ?? null,
      sources_processed: figures.processed,
      events_inserted: figures.inserted,
      events_updated: figures.updated,
      events_skipped: figures.skipped,
      errors: figures.errors,
      circuit_breakers_tripped: tripped,
      dlq_items_added: figures.deadLetters,
    },
  }
}

/** The form that Slack, Mattermost and others take at an incoming webhook. */
export function slackBody(message: Message): Record<string, unknown> {
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
  const lines = escape(message.lines.join('\n')).slice(0, longestText)
  return {
    text: message.title,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: message.title.slice(0, 150) } },
      ...(message.facts.length === 0
        ? []
        : [
            {
              type: 'section',
              fields: message.facts.map(({ name, value }) => ({
                type: 'mrkdwn',
                text: `*${escape(name)}:* ${escape(value)}`,
              })),
            },
          ]),
      ...(lines === '' ? [] : [section(lines)]),
    ],
  }
}

/** What other programs get, in the envelope of standard webhooks. */
export function webhookBody(message: Message, at: Date): Record<string, unknown> {
  return {
    type: `millrace.${message.type}`,
    timestamp: at.toISOString(),
    data: { title: message.title, ...message.data },
  }
}

function plain(alert: Alert): Record<string, unknown> {
  const { id, kind, subject, title, details } = alert
  return { id, kind, subject, title, details, opened_at: alert.opened_at }
}

/** Names come from outside: they must not become links or mentions. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function plural(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`
}

function more(count: number): string {
  return count > mostLines ? ` and ${count - mostLines} more` : ''
}
