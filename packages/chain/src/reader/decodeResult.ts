import { Errors } from '@agio/core'
import {
  decodeFunctionResult,
  hexToBigInt,
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type ContractFunctionName,
  type DecodeFunctionResultReturnType,
  size,
  slice,
  type Hex,
} from 'viem'
import { readerAbi } from '../abi/index.ts'
import { findProvenChainId, proofSize, type Proven } from '../proof/ProvenRead.ts'
import { decodesWithinSize, findEncodedSize } from './decodesWithinSize.ts'

/**
 * Returns the decoded result of one call of an `aggregate`.
 *
 * @throws `svc/upstream-error` if the call failed or returned another type, which shows that the deployment names a
 * wrong contract
 */
export function decodeResult<const abi extends Abi, name extends ContractFunctionName<abi>>(
  result: Result | undefined,
  abi: abi,
  functionName: name,
): DecodeFunctionResultReturnType<abi, name> {
  try {
    if (!result?.success) throw new Error(`${functionName} reverted`)
    if (!decodesWithinSize(outputsOf(abi, functionName), result.data)) throw new Error(`${functionName} is malformed`)
    return decodeFunctionResult<Abi, string>({
      abi,
      functionName,
      data: result.data,
    }) as DecodeFunctionResultReturnType<abi, name>
  } catch (cause) {
    const reason = 'a contract of the deployment reverts or returns another type'
    throw Errors.upstreamError({ action: `read ${functionName}`, reason, cause })
  }
}

/** Returns the number that a call returned; undefined unless it returned one word. */
export function findNumber(result: Result | undefined): bigint | undefined {
  return result?.success === true && size(result.data) === wordSize ? hexToBigInt(result.data) : undefined
}

/** The result of each function of the Reader contract: an item for each pool or call. */
export type ReaderFunction = keyof Items

type Items = {
  readonly aggregate: readonly Result[]
  readonly poolStates: readonly RawPoolState[]
  readonly probedStates: readonly { readonly state: RawPoolState; readonly curve: RawCurveState }[]
}

/** The result of a call: the data that it returned or reverted with. */
export type Result = { readonly success: boolean; readonly data: Hex }

/** The Reader contract's `PoolState`, as viem decodes it. */
export type RawPoolState = ReturnType<typeof decodeFunctionResult<typeof readerAbi, 'poolStates'>>[2][number]

/** The Reader contract's `CurveState`. */
export type RawCurveState = ReturnType<
  typeof decodeFunctionResult<typeof readerAbi, 'probedStates'>
>[2][number]['curve']

/** The decoded result of a function of the Reader contract, with the time of its block. */
export type ReaderResult<name extends keyof Items> = { readonly timestampSeconds: bigint; readonly items: Items[name] }

/**
 * Decodes the result of a function of the Reader contract, of any version. Early versions return the same result without
 * the proof, or without the faults of prices.
 *
 * @param count the number of pools or calls that were read
 * @throws `Error` unless the result has the form and the exact length that the function returns for them
 */
export function decodeReaderResult<name extends keyof Items>(
  functionName: name,
  count: number,
  result: Hex,
): Proven<ReaderResult<name>> {
  const chainId = findProvenChainId(result)
  const sizeOfProof = chainId === undefined ? 0 : proofSize
  const isWithoutFaults =
    functionName === 'poolStates' && size(result) === sizeOfProof + wordSize * (headWords + count * wordsWithoutFaults)
  const shapes = isWithoutFaults ? abisWithoutFaults : abis
  const abi = chainId === undefined ? shapes.withoutProof : shapes.withProof
  // The items are counted before they are decoded: a node may return any number of them.
  const hasEachItem = findItemCount(result, sizeOfProof) === BigInt(count)
  if (!hasEachItem || findEncodedSize(outputsOf(abi, functionName), result) !== size(result))
    throw new Error(`the node returns ${size(result)} bytes for ${functionName}`)
  const decoded = decodeFunctionResult<Abi, string>({ abi, functionName, data: result }) as readonly unknown[]
  const [timestampSeconds, returned] = decoded.slice(-2) as [bigint, Items[name]]
  if (timestampSeconds === 0n) throw new Error('the node returns a block without a time')
  const items = isWithoutFaults ? (addFaults(returned as Items['poolStates']) as Items[name]) : returned
  return { chainId, value: { timestampSeconds, items } }
}

/** Returns the number of the items after the time and the offset of the items; undefined if they are elsewhere. */
function findItemCount(result: Hex, sizeOfProof: number): bigint | undefined {
  const start = sizeOfProof + 2 * wordSize
  if (size(result) < start + wordSize) return undefined
  const [offset, count] = [start - wordSize, start].map((position) =>
    hexToBigInt(slice(result, position, position + wordSize)),
  )
  return offset === BigInt(start) ? count : undefined
}

function outputsOf(abi: Abi, functionName: string): readonly AbiParameter[] {
  const isCalled = (item: Abi[number]): item is AbiFunction => item.type === 'function' && item.name === functionName
  return abi.find(isCalled)?.outputs ?? []
}

const abis = toAbis(readerAbi)

const abisWithoutFaults = toAbis(
  JSON.parse(JSON.stringify(readerAbi), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((item) => (item as { readonly name?: string }).name !== 'fault') : value,
  ) as Abi,
)

/** The proof comes before the other values. */
function toAbis(abi: Abi): { readonly withProof: Abi; readonly withoutProof: Abi } {
  const withoutProof = abi.map((item) =>
    item.type === 'function' && item.outputs.length > 1 ? { ...item, outputs: item.outputs.slice(1) } : item,
  )
  return { withProof: abi, withoutProof }
}

function addFaults(states: Items['poolStates']): Items['poolStates'] {
  return states.map(({ basePrice, quotePrice, ...state }) => {
    return { ...state, basePrice: { ...basePrice, fault: '0x' }, quotePrice: { ...quotePrice, fault: '0x' } }
  })
}

const wordSize = 32
// The words before the items: the time, the offset of the items, and their count.
const headWords = 3
// The words of a pool's state without the faults of its prices.
const wordsWithoutFaults = 21
