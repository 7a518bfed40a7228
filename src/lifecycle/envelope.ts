import { z } from 'zod'

// Other programs write "nothing" as null.
const payloadObject = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {})

/** The envelope of a source event on the wire; other programs send the same. */
const envelope = z.object({
  event_id: z.uuid(),
  event_type: z.enum([
    'SOURCE_CREATED',
    'SOURCE_UPDATED',
    'SOURCE_DELETED',
    'SOURCE_ENABLED',
    'SOURCE_DISABLED',
  ]),
  source_id: z.uuid(),
  timestamp: z.iso.datetime({ offset: true }),
  payload: payloadObject,
})

const payloads = {
  SOURCE_CREATED: z.looseObject({
    name: z.string().min(1),
    url: z.string().min(1),
    enabled: z.boolean(),
  }),
  SOURCE_UPDATED: z.looseObject({
    changed_fields: z.array(z.string()),
    previous: payloadObject,
    current: payloadObject,
  }),
  SOURCE_DELETED: payloadObject,
  SOURCE_ENABLED: payloadObject,
  SOURCE_DISABLED: payloadObject,
}

export type Envelope = z.infer<typeof envelope>

export type ParsedEnvelope =
  { ok: true; event: Envelope } | { ok: false; reason: string; eventId: string | null }

const largestMessage = 1024 * 1024
const deepest = 32
/** A clock that is further ahead than this would make every later event of the source look old. */
const furthestAheadMs = 3_600_000
const earliest = Date.UTC(2000, 0, 1)

/** Reads one message; what cannot be read comes back with the reason, for quarantine. */
export function parseEnvelope(raw: string | undefined, now: Date): ParsedEnvelope {
  if (raw === undefined) return { ok: false, reason: 'the field "event" is missing', eventId: null }
  if (raw.length > largestMessage)
    return { ok: false, reason: `larger than ${largestMessage} characters`, eventId: null }
  let json: unknown
  try {
    json = JSON.parse(raw)
  } catch {
    return { ok: false, reason: 'not valid JSON', eventId: null }
  }
  const parsed = envelope.safeParse(json)
  if (!parsed.success) return { ok: false, reason: explain(parsed.error), eventId: idOf(json) }
  const payload = payloads[parsed.data.event_type].safeParse(parsed.data.payload)
  if (!payload.success)
    return {
      ok: false,
      reason: `payload: ${explain(payload.error)}`,
      eventId: parsed.data.event_id,
    }
  const refused = whyNotStorable(parsed.data.payload, 0) ?? whyNotThen(parsed.data.timestamp, now)
  if (refused !== null) return { ok: false, reason: refused, eventId: parsed.data.event_id }
  return { ok: true, event: parsed.data }
}

/** What the database would refuse must be found here: there it would fail the whole batch, again and again. */
function whyNotStorable(value: unknown, depth: number): string | null {
  if (depth > deepest) return `payload: nested deeper than ${deepest} levels`
  if (typeof value === 'string')
    return /\p{Surrogate}|\0/u.test(value) ? 'payload: holds a character no text may hold' : null
  if (typeof value !== 'object' || value === null) return null
  for (const part of Object.entries(value).flat()) {
    const reason = whyNotStorable(part, depth + 1)
    if (reason !== null) return reason
  }
  return null
}

function whyNotThen(timestamp: string, now: Date): string | null {
  const time = Date.parse(timestamp)
  if (!(time >= earliest)) return 'timestamp: before the year 2000'
  return time > now.getTime() + furthestAheadMs
    ? 'timestamp: more than an hour in the future'
    : null
}

function explain(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join('.') || 'message'}: ${issue.message}`)
    .join('; ')
}

function idOf(json: unknown): string | null {
  const id = typeof json === 'object' && json !== null && 'event_id' in json ? json.event_id : null
  return z.uuid().safeParse(id).success ? String(id) : null
}
