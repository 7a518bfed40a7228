/** A box around what a function returns, to tell it from a body that ran to its end. */
export class Returned {
  value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}
