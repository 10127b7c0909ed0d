import { Errors } from '@agio/core'
import {
  decodeFunctionResult,
  type Abi,
  type ContractFunctionName,
  type DecodeFunctionResultReturnType,
  size,
  type Hex,
} from 'viem'
import { readerAbi } from '../abi/index.ts'
import { findProvenChainId, proofSize, type Proven } from '../proof/ProvenRead.ts'

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
  const decoded = decodeFunctionResult<Abi, string>({ abi, functionName, data: result }) as readonly unknown[]
  const [timestampSeconds, returned] = decoded.slice(-2) as [bigint, Items[name]]
  const items = isWithoutFaults ? (addFaults(returned as Items['poolStates']) as Items[name]) : returned
  const isWhole = isWithoutFaults || size(result) === sizeOfProof + sizeOf[functionName](items)
  if (timestampSeconds === 0n || items.length !== count || !isWhole)
    throw new Error(`the node returns ${size(result)} bytes for ${functionName}`)
  return { chainId, value: { timestampSeconds, items } }
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
// The words of a pool's state: for each of its two prices also an offset of the price, and the offset and the length of its
// fault.
const poolStateWords = wordsWithoutFaults + 2 * 3
// The words of a probed state: its offset, the offsets of the state of the pool and of its curve, that state, and the curve
// up to the length of the probe's data.
const probedStateWords = 3 + poolStateWords + 17
// The words of a result: its offset, its success, and the offset and the length of its data.
const resultWords = 4

/** The sizes of the encoded results in bytes, without a proof. */
const sizeOf: { readonly [name in keyof Items]: (items: Items[name]) => number } = {
  poolStates: (states) => sumSizes(1 + poolStateWords, states.map(listFaults)),
  aggregate: (results) =>
    sumSizes(
      resultWords,
      results.map(({ data }) => [data]),
    ),
  probedStates: (states) =>
    sumSizes(
      probedStateWords,
      states.map(({ state, curve }) => [...listFaults(state), curve.data]),
    ),
}

function listFaults({ basePrice, quotePrice }: RawPoolState): readonly Hex[] {
  return [basePrice.fault, quotePrice.fault]
}

/** @param datas the values of dynamic length of each item */
function sumSizes(words: number, datas: readonly (readonly Hex[])[]): number {
  const sizes = datas.map((values) => values.reduce((sum, value) => sum + Math.ceil(size(value) / wordSize), words))
  return wordSize * sizes.reduce((total, itemWords) => total + itemWords, headWords)
}
