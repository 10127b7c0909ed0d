import { ServiceError, type ChainId } from '@agio/core'
import { setTimeout as wait } from 'node:timers/promises'

const intervalMs = 50
const timeoutMs = 10_000

/**
 * Waits until a service says of its health that it has seen a block, or a later one.
 *
 * @param getServiceUrl where it answers; once that is undefined there is nobody to wait for
 * @throws `svc/upstream-timeout` after ten seconds
 */
export async function untilSeen(
  getServiceUrl: () => string | undefined,
  { chainId, blockNumber }: untilSeen.Block,
): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs
  for (let url = getServiceUrl(); url !== undefined; url = getServiceUrl()) {
    if ((await readHead(url, chainId)) >= blockNumber) return
    if (Date.now() > deadlineMs) {
      const message = `Cannot tell that the service has seen block ${blockNumber} of chain ${chainId}: it does not say so`
      throw new ServiceError('svc/upstream-timeout', message, {})
    }
    await wait(intervalMs)
  }
}

export declare namespace untilSeen {
  type Block = { readonly chainId: ChainId; readonly blockNumber: bigint }
}

type Health = { readonly chains?: readonly { readonly chainId: number; readonly blockNumber?: number }[] }

/** The number of the newest block that the service knows; -1 if it knows none, or does not answer. */
async function readHead(serviceUrl: string, chainId: ChainId): Promise<number> {
  try {
    const { chains } = (await (await fetch(`${serviceUrl}/health`)).json()) as Health
    return chains?.find((chain) => chain.chainId === chainId)?.blockNumber ?? -1
  } catch {
    return -1
  }
}
