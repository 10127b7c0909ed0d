/** A JSON-RPC call. */
export type Body = { readonly method: string; readonly params?: unknown }

/** A way to a node that stays the same until the node is reached anew: one WebSocket, or HTTP as such. */
export type Link = {
  /** What the node answers. @throws viem's errors, or `Error` for what is no JSON-RPC */
  ask(body: Body): Promise<unknown>
  /** Ends it as soon as what was asked is answered. */
  retire?(): void
}

/** Where a node is reached. */
export type Endpoint<OwnLink extends Link = Link> = {
  /** Works over one link, which lasts until the work is done, unless the node ends it. */
  workOver<Result>(work: (link: OwnLink) => Promise<Result>): Promise<Result>
  /** Keeps nothing open from now on: each link ends once it was worked over. */
  stop(): void
}
