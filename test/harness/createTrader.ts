import { tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, parseUnits } from 'viem'
import { createWallet } from './createWallet.ts'
import { connectOwner } from './connectOwner.ts'
import { waitForSuccess, writeContract } from './writeContract.ts'

/** A new wallet that holds some of a token and has approved the router for it, set up on chain without the service. */
export async function createTrader(chain: LocalChain, { symbol, amount, approved = amount }: Holding): Promise<Trader> {
  const [owner, wallet] = [connectOwner(chain), await createWallet(chain)]
  const [to, amountRaw] = [chain.tokens[symbol], parseUnits(amount, 6)]
  const mint = { abi: tokenAbi, functionName: 'mint', args: [wallet.address, amountRaw] } as const
  await writeContract(owner.client, { address: to, ...mint })
  const args = [chain.deployment.router, parseUnits(approved, 6)] as const
  const approve = { abi: tokenAbi, functionName: 'approve', args } as const
  const unsigned = { to, data: encodeFunctionData(approve), value: '0', chainId: chain.chainId, gasLimit: '100000' }
  const serializedTransaction = await wallet.sign(async () => ({ status: 200, data: { nonce: 0 } }), unsigned)
  await waitForSuccess(owner.client, await owner.client.sendRawTransaction({ serializedTransaction }))
  return wallet
}

export type Holding = {
  readonly symbol: 'tUSD' | 'tAUD' | 'tEUR'
  /** In whole tokens. */
  readonly amount: string
  /** The amount that it holds by default. */
  readonly approved?: string
}

export type Trader = Awaited<ReturnType<typeof createWallet>>
