import { poolAbi } from '@agio/chain/abi'
import type { Address, Pool } from '@agio/core'
import { concatHex, encodeFunctionData, keccak256, numberToHex, padHex, type Hex, type PublicClient } from 'viem'
import type { SwapCase, Swap } from './arbitraryCases.ts'
import { readAtBlock, type Answer } from '../harness/readAtBlock.ts'

// The storage slots of the mutable state of TestToken, TestOracle and Pool.
const slots = { balances: 0n, answer: 4n, updatedAt: 5n, pendingOwnerAndFrozen: 6n }

/** The outcomes of cases by the views of the deployed pools, with their states overridden: all in one call, at one block. */
export async function quoteInEvm(
  client: Pick<PublicClient, 'request'>,
  { blockHash, cases }: { readonly blockHash: Hex; readonly cases: readonly SwapCase[] },
): Promise<readonly Answer[]> {
  const calls = cases.map(({ pool, swap }) => ({ target: pool.address, data: encode(swap) }))
  const overrides = overridesOf(new Set(cases.map(({ pool }) => pool)))
  return await readAtBlock(client, { at: blockHash, calls, overrides })
}

function encode({ kind, tokenIn, tokenOut, amountRaw }: Swap): Hex {
  const [abi, args] = [poolAbi, [tokenIn, tokenOut, amountRaw]] as const
  if (kind === 'exactIn') return encodeFunctionData({ abi, functionName: 'viewOriginSwap', args })
  if (kind === 'exactOut') return encodeFunctionData({ abi, functionName: 'viewTargetSwap', args })
  return encodeFunctionData({ abi, functionName: 'maxOrigin', args: [tokenIn, tokenOut] })
}

type Override = { readonly stateDiff: Record<Hex, Hex> }

/** The storage of tokens, oracles and pools that puts each pool into the state of its case. */
function overridesOf(pools: ReadonlySet<Pool.Pool>): Readonly<Record<Address, Override>> {
  const overrides: Record<Address, Override> = {}
  const setSlot = (address: Address, slot: bigint | Hex, value: bigint) => {
    const { stateDiff } = (overrides[address] ??= { stateDiff: {} })
    stateDiff[typeof slot === 'bigint' ? numberToHex(slot, { size: 32 }) : slot] = toWord(value)
  }
  const setSide = (pool: Address, { token, reserve, price }: Pool.Side) => {
    setSlot(token.address, balanceKey(pool), reserve)
    if (price.oracle === null) return
    setSlot(price.oracle, slots.answer, price.answer)
    setSlot(price.oracle, slots.updatedAt, price.updatedAtSeconds)
  }
  for (const { address, base, quote, frozen } of pools) {
    setSide(address, base)
    setSide(address, quote)
    setSlot(address, slots.pendingOwnerAndFrozen, frozen ? 1n << 160n : 0n)
  }
  return overrides
}

function balanceKey(holder: Address): Hex {
  return keccak256(concatHex([padHex(holder), numberToHex(slots.balances, { size: 32 })]))
}

function toWord(value: bigint): Hex {
  return numberToHex(BigInt.asUintN(256, value), { size: 32 })
}
