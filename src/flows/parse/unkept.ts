/** The archive would not take the body: that says nothing about the page, and the run is tried again. */
export class Unkept extends Error {
  constructor(cause: string) {
    super(cause)
    this.name = 'Unkept'
  }
}
