/** What a service says of its health. */
export type Health = {
  readonly status: string
  readonly chains: readonly { readonly chainId: number; readonly blockNumber: number }[]
}

/** Reads what a service says of its health, which costs no call to a node. */
export async function readHealth(url: string): Promise<Health> {
  return (await (await fetch(`${url}/health`)).json()) as Health
}
