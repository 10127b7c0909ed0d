/** A JSON-RPC request, without its id. */
export type RpcRequest = { readonly method: string; readonly params?: unknown }

/** A link to one node: one WebSocket connection, which a reconnection replaces, or HTTP in general. */
export type NodeLink = {
  /** Returns the result from the node. @throws viem's errors, or `Error` for a response that is not JSON-RPC */
  request(request: RpcRequest): Promise<unknown>
  /** Closes the link as soon as every pending request is answered. */
  closeWhenIdle?(): void
  /** Resolves with the reason if the link has ended because of what the node sent. A request may not be waiting then. */
  readonly fault?: Promise<Error>
}

/** The address of a node, over which links to it are opened. */
export type Endpoint<Link extends NodeLink = NodeLink> = {
  /** Runs work over one link, which stays open until the work is done, unless the node closes it. */
  withLink<Result>(work: (link: Link) => Promise<Result>): Promise<Result>
  /** Closes each link from now on as soon as the work over it is done. */
  stop(): void
}

/** Sends a request over a link, and observes its time and its outcome. */
export type ObserveRequest = (request: RpcRequest, send: () => Promise<unknown>) => Promise<unknown>

/** Observes each request to a node. The node is identified by its place in the order of preference, from 1. */
export type ObserveNodeRequest = (
  request: Pick<RpcRequest, 'method'> & { readonly position: number },
  send: () => Promise<unknown>,
) => Promise<unknown>
