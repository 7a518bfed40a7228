/** The page could not be read within its time or memory: the thread is gone, the run goes on. */
export class Unparsable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'Unparsable'
  }
}
