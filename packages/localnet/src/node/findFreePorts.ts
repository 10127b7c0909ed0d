import { chainIds, toLocalRpcPort } from '@agio/core'
import { assertPortFree } from './assertPortFree.ts'

/** The first of as many free consecutive ports as there are local chains, for tests that need to know them beforehand. */
export async function findFreePorts(from = 20_000): Promise<number> {
  try {
    for (const chainId of chainIds) await assertPortFree(toLocalRpcPort(chainId, from))
    return from
  } catch {
    return await findFreePorts(from + chainIds.length)
  }
}
