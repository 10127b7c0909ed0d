import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { maxUint256, parseUnits } from 'viem'
import { connectOwner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'

/** Mints a trillion of each token of the tAUD/tUSD pool to the owner, and approves the pool for all of it. */
export async function fundOwner(chain: LocalChain): Promise<void> {
  const owner = connectOwner(chain)
  const mint = { abi: tokenAbi, functionName: 'mint', args: [owner.address, parseUnits('1', 18)] } as const
  const approve = { abi: tokenAbi, functionName: 'approve', args: [chain.pools['tAUD/tUSD'], maxUint256] } as const
  for (const token of [chain.tokens.tAUD, chain.tokens.tUSD]) {
    await writeContract(owner.client, { address: token, ...mint })
    await writeContract(owner.client, { address: token, ...approve })
  }
}

/** Swaps directly with the tAUD/tUSD pool, so that it holds more of the token paid. */
export async function convert(chain: LocalChain, from: 'tAUD' | 'tUSD', amount: string): Promise<void> {
  await fundOwner(chain)
  const { tAUD, tUSD } = chain.tokens
  const [origin, target] = from === 'tAUD' ? [tAUD, tUSD] : [tUSD, tAUD]
  const args = [origin, target, parseUnits(amount, 6), 1n, maxUint256] as const
  const swap = { address: chain.pools['tAUD/tUSD'], abi: poolAbi, functionName: 'originSwap', args } as const
  await writeContract(connectOwner(chain).client, swap)
}

/** Mints tokens to the tAUD/tUSD pool. */
export async function donate(chain: LocalChain, symbol: 'tAUD' | 'tUSD', amount: string): Promise<void> {
  const args = [chain.pools['tAUD/tUSD'], parseUnits(amount, 6)] as const
  const mint = { address: chain.tokens[symbol], abi: tokenAbi, functionName: 'mint', args } as const
  await writeContract(connectOwner(chain).client, mint)
}

/** Freezes or unfreezes the tAUD/tUSD pool. */
export async function setFrozen(chain: LocalChain, isFrozen: boolean): Promise<void> {
  const address = chain.pools['tAUD/tUSD']
  const freeze = { address, abi: poolAbi, functionName: 'setFrozen', args: [isFrozen] } as const
  await writeContract(connectOwner(chain).client, freeze)
}
