import { Async, Errors, type Network } from '@agio/core'
import { setTimeout as wait } from 'node:timers/promises'

const intervalMs = 50
const timeoutMs = 10_000

/**
 * Waits until `/health` of a service reports a block of a chain, or a later block.
 *
 * @param findServiceUrl returns the URL of the service. The wait ends when it returns undefined
 * @throws `svc/upstream-timeout` after ten seconds
 */
export async function waitForServedBlock(
  findServiceUrl: () => string | undefined,
  { chainId, blockNumber }: waitForServedBlock.Block,
): Promise<void> {
  let isLate = false
  const cancel = Async.startTimeLimit(timeoutMs, () => (isLate = true))
  try {
    for (let url = findServiceUrl(); url !== undefined; url = findServiceUrl()) {
      if ((await readHead(url, chainId)) >= blockNumber) return
      if (isLate) {
        const reason = `/health does not report block ${blockNumber} after ${timeoutMs / 1000} s`
        throw Errors.upstreamTimeout({ action: `confirm the change of chain ${chainId}`, reason })
      }
      await wait(intervalMs)
    }
  } finally {
    cancel()
  }
}

export declare namespace waitForServedBlock {
  type Block = { readonly chainId: Network.ChainId; readonly blockNumber: bigint }
}

type Health = { readonly chains?: readonly { readonly chainId: number; readonly blockNumber?: number }[] }

/** Returns the newest block that the service reports; -1 if it reports no block or does not respond. */
async function readHead(serviceUrl: string, chainId: Network.ChainId): Promise<number> {
  try {
    const { chains } = (await (await fetch(`${serviceUrl}/health`)).json()) as Health
    return chains?.find((chain) => chain.chainId === chainId)?.blockNumber ?? -1
  } catch {
    return -1
  }
}
