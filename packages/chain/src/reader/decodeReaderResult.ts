import { decodeFunctionResult, size, type Abi, type Hex } from 'viem'
import { readerAbi } from '../abi/index.ts'
import { findProvenChainId, proofSize } from '../proof/findProvenChainId.ts'
import type { Proven } from '../proof/ProvenRead.ts'
import type { RawPoolState, Result } from './createReader.ts'

/** What each function of the Reader contract returns: an item for each pool or call. */
export type ReaderFunction = keyof Items

type Items = { readonly aggregate: readonly Result[]; readonly poolStates: readonly RawPoolState[] }

export type ReaderResult<name extends keyof Items> = { readonly timestampSeconds: bigint; readonly items: Items[name] }

/**
 * Decodes the result of a function of the Reader contract, of any version: those before the proof returned the same without it.
 *
 * @param count the pools or calls that were read
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

// The proof is the first of several values.
const abiWithoutProof: Abi = (readerAbi as Abi).map((item) =>
  item.type === 'function' && item.outputs.length > 1 ? { ...item, outputs: item.outputs.slice(1) } : item,
)

const wordSize = 32
// The time, the offset of the items, and their count.
const headWords = 3
const poolStateWords = 21
// The offset of a result, its success, and the offset and the length of its data.
const resultWords = 4

/** The sizes of the encoded results in bytes, without a proof. */
const sizeOf: { readonly [name in keyof Items]: (items: Items[name]) => number } = {
  poolStates: (states) => wordSize * (headWords + poolStateWords * states.length),
  aggregate: (results) =>
    results.reduce((total, { data }) => total + wordSize * (resultWords + Math.ceil(size(data) / wordSize)), 0) +
    wordSize * headWords,
}
