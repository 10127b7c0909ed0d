import type { Deployment } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import type { Address, Network } from '@agio/core'
import { maxUint256, parseAbi } from 'viem'
import type { Owner } from '../harness/connectOwner.ts'
import { writeContract } from '../harness/writeContract.ts'
import type { DeployedPool, DeployedSide } from './deployPools.ts'

const abi = parseAbi(['function addPool(address pool)', 'function updateAnswer(int256 answer)'])

/**
 * Builds a market from the pools that share the reference token: a million dollars on each side, and a router over them. The
 * owner holds ten million dollars of each token and has approved the router.
 *
 * @param prices one for each pool, 8 decimals
 */
export async function deployMarket(
  owner: Owner,
  { chainId, pools, prices }: { chainId: Network.ChainId; pools: readonly DeployedPool[]; prices: readonly bigint[] },
): Promise<Deployment> {
  const factory = await owner.deploy('Factory', [owner.address])
  const router = await owner.deploy('Router', [factory])
  const provide = async ({ token, decimals }: DeployedSide, pool: Address, price: bigint) => {
    const million = 10n ** BigInt(14 + decimals) / price
    const call = (functionName: 'mint' | 'approve', args: readonly [Address, bigint]) =>
      writeContract(owner.client, { address: token, abi: tokenAbi, functionName, args })
    await call('mint', [pool, million])
    await call('mint', [owner.address, 10n * million])
    await call('approve', [router, maxUint256])
  }
  for (const [index, { address, base, quote }] of pools.entries()) {
    const price = prices[index] ?? 0n
    await writeContract(owner.client, {
      address: base.oracle as Address,
      abi,
      functionName: 'updateAnswer',
      args: [price],
    })
    await provide(base, address, price)
    await provide(quote, address, 100_000_000n)
    await writeContract(owner.client, { address: factory, abi, functionName: 'addPool', args: [address] })
  }
  const referenceToken = pools[0]?.quote.token as Address
  return { chainId, router, pools: pools.map(({ address }) => address), referenceToken }
}
