/** A request to send. All of it is as it goes over the wire: nothing is escaped or normalised on the way. */
export type FuzzRequest = {
  readonly kind: Kind
  readonly method: string
  /** What stands in the request line. */
  readonly target: string
  readonly headers: Headers
  readonly body?: Buffer | undefined
}

/** What is odd about a request; nothing about those that are `valid`. */
export type Kind =
  | 'valid'
  | 'json'
  | 'large'
  | 'bytes'
  | 'media'
  | 'headers'
  | 'method'
  | 'path'
  | 'query'
  | 'batch'
  | 'stranger'

/** Names and values, in their order. A name may come twice. */
export type Headers = readonly (readonly [name: string, value: string])[]

/** Bytes to write to a connection, that need not be a request. */
export type WireRequest = {
  readonly kind: 'wire'
  readonly bytes: Buffer
  /** What the client does when it has written them: wait for the answer, end its side, or break off. */
  readonly ending: 'wait' | 'end' | 'break'
}
