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
 * Decodes the result of a function of the Reader contract, of any version. Versions before the proof return the same
 * result without it.
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
  const abi = chainId === undefined ? abiWithoutProof : readerAbi
  const decoded = decodeFunctionResult<Abi, string>({ abi, functionName, data: result }) as readonly unknown[]
  const [timestampSeconds, items] = decoded.slice(-2) as [bigint, Items[name]]
  const expectedSize = (chainId === undefined ? 0 : proofSize) + sizeOf[functionName](items)
  if (timestampSeconds === 0n || items.length !== count || size(result) !== expectedSize)
    throw new Error(`the node returns ${size(result)} bytes for ${functionName}`)
  return { chainId, value: { timestampSeconds, items } }
}

// The proof comes before the other values.
const abiWithoutProof: Abi = (readerAbi as Abi).map((item) =>
  item.type === 'function' && item.outputs.length > 1 ? { ...item, outputs: item.outputs.slice(1) } : item,
)

const wordSize = 32
// The words before the items: the time, the offset of the items, and their count.
const headWords = 3
const poolStateWords = 21
// The words of a probed state: the offset of the state, the state of the pool, the offset of its curve, and the curve
// up to the length of the probe's data.
const probedStateWords = 1 + poolStateWords + 1 + 17
// The words of a result: its offset, its success, and the offset and the length of its data.
const resultWords = 4

/** The sizes of the encoded results in bytes, without a proof. */
const sizeOf: { readonly [name in keyof Items]: (items: Items[name]) => number } = {
  poolStates: (states) => wordSize * (headWords + poolStateWords * states.length),
  aggregate: (results) => sumSizes(resultWords, results),
  probedStates: (states) =>
    sumSizes(
      probedStateWords,
      states.map(({ curve }) => curve),
    ),
}

function sumSizes(words: number, items: readonly { readonly data: Hex }[]): number {
  const sizes = items.map(({ data }) => wordSize * (words + Math.ceil(size(data) / wordSize)))
  return sizes.reduce((total, size) => total + size, wordSize * headWords)
}
