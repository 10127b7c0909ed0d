import type { Address } from '@agio/core'
import { createWalletClient, http, publicActions } from 'viem'
import type { LocalChain } from '../chain/LocalChain.ts'
import { oracleAbi } from './oracleAbi.ts'

/**
 * Pushes the current answer of every oracle of a chain again, so that prices stay fresh and do not change.
 *
 * @throws `Error` if a push is not mined in time, or reverts
 */
export async function pushPrices({ chainId, rpcUrl, oracles }: LocalChain): Promise<void> {
  const client = createWalletClient({ transport: http(rpcUrl, { retryCount: 1 }), pollingInterval: 50 }).extend(
    publicActions,
  )
  const push = async (address: Address): Promise<void> => {
    const oracle = { address, abi: oracleAbi } as const
    const [account, [, answer]] = await Promise.all([
      client.readContract({ ...oracle, functionName: 'owner' }),
      client.readContract({ ...oracle, functionName: 'latestRoundData' }),
    ])
    // The node signs, since the owner is one of its accounts or impersonated. A fixed gas limit saves an estimate.
    const call = { functionName: 'updateAnswer', args: [answer], gas: 200_000n } as const
    const write = { ...oracle, ...call, account, chain: null } as const
    const hash = await client.writeContract(write)
    const { status } = await client.waitForTransactionReceipt({ hash, timeout: 30_000 })
    if (status !== 'success') throw new Error(`Cannot push prices on chain ${chainId}: transaction ${hash} reverted`)
  }
  for (const oracle of Object.values(oracles)) await push(oracle)
}
