/** The response of `/health`. */
export type Health = {
  readonly status: string
  readonly chains: readonly { readonly chainId: number; readonly blockNumber: number }[]
}

/** Reads the health of a service, which makes no call to a node. */
export async function readHealth(url: string): Promise<Health> {
  return (await (await fetch(`${url}/health`)).json()) as Health
}
