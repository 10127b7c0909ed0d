import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseEther, parseUnits } from 'viem'
import type { Owner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'

/** Deploys a pool of the tokens, readers and parameters of a pool of the chain. */
export async function deployTwinPool(
  owner: Owner,
  { tokens, pools }: LocalChain,
  { name, contract, amount = '500000' }: Options,
): Promise<Address> {
  const [base, quote] = name.split('/').map((symbol) => tokens[symbol]) as [Address, Address]
  const view = { address: pools[name] as Address, abi: poolAbi, functionName: 'assimilator' } as const
  const readerOf = (token: Address) => owner.client.readContract({ ...view, args: [token] })
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const [baseReader, quoteReader] = await Promise.all([readerOf(base), readerOf(quote)])
  const config = { name, symbol: name, base, quote, baseReader, quoteReader, ...parameters }
  const pool = await owner.deploy(contract, [config])
  const mint = { abi: tokenAbi, functionName: 'mint', args: [pool, parseUnits(amount, 6)] } as const
  for (const address of [base, quote]) await writeContract(owner.client, { address, ...mint })
  return pool
}

type Options = {
  /** The symbols of the pool's tokens. */
  readonly name: string
  /** The pool to deploy, by its path without `.sol`. */
  readonly contract: string
  /** How much of each token the pool gets. */
  readonly amount?: string
}
