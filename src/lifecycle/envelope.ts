import { z } from 'zod'

const payloadObject = z.record(z.string(), z.unknown())

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
  SOURCE_CREATED: payloadObject.and(
    z.object({ name: z.string().min(1), url: z.string().min(1), enabled: z.boolean() }),
  ),
  SOURCE_UPDATED: z.object({
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

/** Reads one message; what cannot be read comes back with the reason, for quarantine. */
export function parseEnvelope(raw: string | undefined): ParsedEnvelope {
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
  return { ok: true, event: parsed.data }
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
