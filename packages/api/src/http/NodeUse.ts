/**
 * What a request uses of the nodes. Times are wall-clock milliseconds: reads at the same time count once, and a wait for a slot
 * counts only while no read is in flight.
 */
export class NodeUse {
  #requests = 0
  #queueMs = 0
  #nodeMs = 0
  #waiting = 0
  #reading = 0
  #sinceMs = 0
  readonly #nodes = new Set<number>()

  /** Notes that a read waits for a slot. */
  startWaiting(): void {
    this.#advance()
    this.#waiting += 1
  }
  endWaiting(): void {
    this.#advance()
    this.#waiting -= 1
  }
  /** Notes that a read has started. */
  startRead(): void {
    this.#advance()
    this.#requests += 1
    this.#reading += 1
  }
  endRead(): void {
    this.#advance()
    this.#reading -= 1
  }
  /** Notes the node that answered a read, by its position. */
  addNode(position: number): void {
    this.#nodes.add(position)
  }
  /** Lists the positions of the nodes that answered. */
  listNodes(): readonly number[] {
    return [...this.#nodes].toSorted((a, b) => a - b)
  }
  /** Whether a read has started. */
  get hasRead(): boolean {
    return this.#requests > 0
  }
  /** Returns the use until now. */
  measure(): NodeMeasures {
    this.#advance()
    return { nodeRequests: this.#requests, queueMs: this.#queueMs, nodeMs: this.#nodeMs }
  }
  #advance(): void {
    const nowMs = performance.now()
    if (this.#reading > 0) this.#nodeMs += nowMs - this.#sinceMs
    else if (this.#waiting > 0) this.#queueMs += nowMs - this.#sinceMs
    this.#sinceMs = nowMs
  }
}

/** The reads of nodes that a request has started, and the times for which it waited for a slot and for nodes. */
export type NodeMeasures = { readonly nodeRequests: number; readonly queueMs: number; readonly nodeMs: number }
