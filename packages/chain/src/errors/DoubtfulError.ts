/**
 * An answer of a node that is possible and not plausible. The next node is asked. The circuit of the node ignores it, since every
 * node would answer the same if the answer is true.
 */
export class DoubtfulError<Value> extends Error {
  override readonly name = 'DoubtfulError'
  readonly value: Value

  constructor(reason: string, value: Value) {
    super(`the node returned ${reason}`)
    this.value = value
  }
}
