import type { Address } from '@agio/core'
import { createWalletClient, http, publicActions } from 'viem'
import type { LocalChain } from '../LocalChain.ts'
import { oracleAbi } from './oracleAbi.ts'

/**
 * Gives every oracle of a chain its own answer again, as of now: prices are fresh, and none has moved.
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
    // The node signs: the owner is one of its accounts, or it was told to impersonate it.
    // An estimate would be too low: within the second of the last push it finds a timestamp that does not change.
    const call = { functionName: 'updateAnswer', args: [answer], gas: 200_000n } as const
    const write = { ...oracle, ...call, account, chain: null } as const
    const hash = await client.writeContract(write)
    const { status } = await client.waitForTransactionReceipt({ hash, timeout: 30_000 })
    if (status !== 'success') throw new Error(`Cannot push a price on chain ${chainId}: transaction ${hash} reverted`)
  }
  for (const oracle of Object.values(oracles)) await push(oracle)
}
