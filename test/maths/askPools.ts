import { poolAbi, rateReaderAbi, readerAbi, readerCode } from '@agio/chain/abi'
import type { Address, ErrorCode, PoolSide, PoolState } from '@agio/core'
import {
  concatHex,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  hexToBigInt,
  keccak256,
  numberToHex,
  padHex,
  type Hex,
  type PublicClient,
} from 'viem'
import type { Question, Swap } from './arbitraryWorld.ts'

const readerAt = '0x00000000000000000000000000000000000a610a'

// Where solc puts what can change, in TestToken, TestOracle and Pool.
const slots = { balances: 0n, answer: 3n, updatedAt: 4n, ownerAndFrozen: 5n }

/** Our code for each error that a pool refuses a swap with. */
const codes: Readonly<Record<string, ErrorCode>> = {
  Frozen: 'svc/pool-frozen',
  UnsupportedToken: 'svc/unsupported-token',
  SameToken: 'svc/invalid-request',
  ZeroAmount: 'svc/amount-too-small',
  StalePrice: 'svc/stale-price',
  InvalidPrice: 'svc/stale-price',
  AboveMaxOrigin: 'svc/above-max-origin',
}

/** Raw units, or why there are none: our code, or the name of an error that has none. */
export type Answer = bigint | string

/** What pools on chain answer as if they were in the states of the questions: all in one call, at one block. */
export async function askPools(
  client: Pick<PublicClient, 'request'>,
  { blockHash, questions }: { readonly blockHash: Hex; readonly questions: readonly Question[] },
): Promise<readonly Answer[]> {
  const calls = questions.map(({ pool, swap }) => ({ target: pool.address, data: encode(swap) }))
  const data = await client.request({
    method: 'eth_call',
    params: [
      { to: readerAt, data: encodeFunctionData({ abi: readerAbi, functionName: 'aggregate', args: [calls] }) },
      { blockHash },
      { [readerAt]: { code: readerCode }, ...overridesOf(new Set(questions.map(({ pool }) => pool))) },
    ],
  })
  const [, results] = decodeFunctionResult({ abi: readerAbi, functionName: 'aggregate', data })
  return results.map(({ success, data }) => (success ? hexToBigInt(data) : toCode(data)))
}

function encode({ kind, tokenIn, tokenOut, amountRaw }: Swap): Hex {
  const [abi, args] = [poolAbi, [tokenIn, tokenOut, amountRaw]] as const
  if (kind === 'exactIn') return encodeFunctionData({ abi, functionName: 'viewOriginSwap', args })
  if (kind === 'exactOut') return encodeFunctionData({ abi, functionName: 'viewTargetSwap', args })
  return encodeFunctionData({ abi, functionName: 'maxOrigin', args: [tokenIn, tokenOut] })
}

function toCode(data: Hex): string {
  const { errorName } = decodeErrorResult({ abi: [...poolAbi, ...rateReaderAbi], data })
  return codes[errorName] ?? errorName
}

type Override = { readonly stateDiff: Record<Hex, Hex> }

/** The storage of tokens, oracles and pools that makes each pool what it is in its question. */
function overridesOf(pools: ReadonlySet<PoolState>): Readonly<Record<Address, Override>> {
  const overrides: Record<Address, Override> = {}
  const put = (address: Address, slot: bigint | Hex, value: bigint) => {
    const { stateDiff } = (overrides[address] ??= { stateDiff: {} })
    stateDiff[typeof slot === 'bigint' ? numberToHex(slot, { size: 32 }) : slot] = toWord(value)
  }
  const putSide = (pool: Address, { token, reserve, price }: PoolSide) => {
    put(token.address, balanceKey(pool), reserve)
    if (price.oracle === null) return
    put(price.oracle, slots.answer, price.answer)
    put(price.oracle, slots.updatedAt, price.updatedAtSeconds)
  }
  for (const { address, base, quote, frozen } of pools) {
    putSide(address, base)
    putSide(address, quote)
    put(address, slots.ownerAndFrozen, frozen ? 1n << 160n : 0n)
  }
  return overrides
}

function balanceKey(holder: Address): Hex {
  return keccak256(concatHex([padHex(holder), numberToHex(slots.balances, { size: 32 })]))
}

function toWord(value: bigint): Hex {
  return numberToHex(BigInt.asUintN(256, value), { size: 32 })
}
