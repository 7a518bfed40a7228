/** Where a body is: committed with the page it belongs to. */
export interface KeptBody {
  /** Hex. */
  hash: string
  pack: string
  /** Where its record begins. */
  at: number
  /** Of the packed body, without the head. */
  length: number
}

export const headBytes = 40
export const magic = Buffer.from('MRB1')

/** Each body is preceded by its name and length: who lost the index finds everything again by reading the packs. */
export function recordHead(hash: string, length: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes)
  magic.copy(head)
  head.write(hash, magic.length, 'hex')
  head.writeUInt32BE(length, headBytes - 4)
  return head
}

/** The packed body of a record, or null when this is not the record of that body. */
export function packedBody(record: Buffer, { hash, length }: KeptBody): Buffer | null {
  const whole = record.length === headBytes + length
  if (!whole || !record.subarray(0, headBytes).equals(recordHead(hash, length))) return null
  return record.subarray(headBytes)
}

/** What a head says, or null when it is none. */
export function headOf(head: Buffer): Pick<KeptBody, 'hash' | 'length'> | null {
  if (head.length < headBytes || !head.subarray(0, magic.length).equals(magic)) return null
  return {
    hash: head.toString('hex', magic.length, headBytes - 4),
    length: head.readUInt32BE(headBytes - 4),
  }
}
