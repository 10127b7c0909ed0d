import { poolAbi, rateReaderAbi, readerAbi, readerCode } from '@agio/chain/abi'
import type { Address, ErrorCode } from '@agio/core'
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  hexToBigInt,
  numberToHex,
  type Hex,
  type PublicClient,
} from 'viem'

const readerAt = '0x00000000000000000000000000000000000a610a'

/** The code of the service for each error of a swap. */
const codes: Readonly<Record<string, ErrorCode>> = {
  Frozen: 'svc/pool-frozen',
  UnsupportedToken: 'svc/unsupported-token',
  SameToken: 'svc/invalid-request',
  ZeroAmount: 'svc/amount-too-small',
  StalePrice: 'svc/stale-price',
  InvalidPrice: 'svc/stale-price',
  AboveMaxOrigin: 'svc/above-max-origin',
}

/** Raw units, or the code of the error, or its name if it has no code. */
export type Answer = bigint | string

/** Calls views that return one number: all in one call, at one block. */
export async function readAtBlock(
  client: Pick<PublicClient, 'request'>,
  { at, calls, overrides, toError = toCode }: Request,
): Promise<readonly Answer[]> {
  const data = await client.request({
    method: 'eth_call',
    params: [
      { to: readerAt, data: encodeFunctionData({ abi: readerAbi, functionName: 'aggregate', args: [calls] }) },
      toBlock(at),
      { [readerAt]: { code: readerCode }, ...overrides },
    ],
  })
  const [, , results] = decodeFunctionResult({ abi: readerAbi, functionName: 'aggregate', data })
  return results.map(({ success, data }) => (success ? hexToBigInt(data) : toError(data)))
}

type Request = {
  /** The hash or the number of the block. */
  readonly at: Hex | number | 'latest'
  readonly calls: readonly { readonly target: Address; readonly data: Hex }[]
  /** Returns the answer for the data of a revert. Default: the code of its error. */
  readonly toError?: ((data: Hex) => string) | undefined
  /** Overrides of the storage of contracts. */
  readonly overrides?: Readonly<Record<Address, { readonly stateDiff: Record<Hex, Hex> }>> | undefined
}

function toBlock(at: Request['at']) {
  if (typeof at === 'number') return numberToHex(at)
  return at === 'latest' ? at : { blockHash: at }
}

function toCode(data: Hex): string {
  const { errorName } = decodeErrorResult({ abi: [...poolAbi, ...rateReaderAbi], data })
  return codes[errorName] ?? errorName
}
