/** Leave to send one request to a host. */
export interface Slot {
  /** Sent later than this moment of `performance.now()`, it would come too close to the next one. */
  readonly over: number
  /** The request leaves now: the next one counts from here. */
  used(): void
}

/** The process was busy until the slot of the host was over: nothing was sent. */
export class MissedSlot extends Error {
  constructor() {
    super('the slot of the host was missed')
    this.name = 'MissedSlot'
  }
}

export function isOver(slot: Slot | null): boolean {
  return slot !== null && performance.now() > slot.over
}

/** The last thing before a request leaves. */
export function useSlot(slot: Slot | null): void {
  if (isOver(slot)) throw new MissedSlot()
  slot?.used()
}
