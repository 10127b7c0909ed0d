import type { Address } from '@agio/core'
import { toFunctionSelector, type AbiFunction, type Hex } from 'viem'
import { exactOutRouterAbi, permitRouterAbi, poolAbi, routerAbi } from '../abi/index.ts'
import { decodeConversionCall, type DecodedConversionCall } from '../call/decodeConversionCall.ts'
import type { Deployment } from '../deployment/Deployment.ts'

type Contracts = Pick<Deployment, 'router' | 'pools'>

// Any transaction may be read, and none may take long.
const maxCandidates = 100

/**
 * Finds the calls of the deployment's router and pools that the calldata of another contract contains, as that of a smart
 * account does: by their selectors, with arguments that decode, where the called address stands in the calldata as well.
 */
export function findCalls(data: Hex, contracts: Contracts): readonly DecodedConversionCall[] {
  const text = data.toLowerCase()
  const contains = (address: Address) => text.includes(address.slice(2).toLowerCase())
  const targets = [contracts.router, ...contracts.pools].filter(contains)
  if (targets.length === 0) return []
  return listCandidates(text).flatMap(
    (candidate) => targets.map((to) => decodeConversionCall({ to, data: candidate }, contracts)).find(Boolean) ?? [],
  )
}

// Each argument of these is one word.
const conversions: ReadonlySet<string> = new Set(['originSwap', 'originSwapTo', 'targetSwap', 'targetSwapTo'])

// The words of the arguments before the bytes of the signature, the last of which is its length. The struct of a swap has seven;
// a permit has the offset of its struct, an amount, a deadline, an offset and a length, and Permit2 a digest, an offset and a
// length.
const signedWords: Readonly<Record<string, number>> = {
  originSwapWithPermit: 12,
  targetSwapWithPermit: 12,
  originSwapWithPermit2: 10,
  targetSwapWithPermit2: 10,
}

// The signatures of contracts have any length, but no more than a few thousand bytes.
const maxSignatureBytes = 10_000

type Layout = { readonly words: number; readonly isSigned: boolean }

const layouts: ReadonlyMap<string, Layout> = new Map(
  [...routerAbi, ...exactOutRouterAbi, ...permitRouterAbi, ...poolAbi]
    .filter((item): item is typeof item & AbiFunction => item.type === 'function')
    .flatMap((item): readonly (readonly [string, Layout])[] => {
      const words = conversions.has(item.name) ? item.inputs.length : signedWords[item.name]
      const selector = toFunctionSelector(item).slice(2)
      return words === undefined ? [] : [[selector, { words, isSigned: item.name in signedWords }]]
    }),
)

const selectors = new RegExp([...layouts.keys()].join('|'), 'g')

/** The parts of the calldata that begin with the selector of a conversion, in their order, each as long as its arguments. */
function listCandidates(text: string): readonly Hex[] {
  const candidates: Hex[] = []
  for (const { 0: selector, index } of text.matchAll(selectors)) {
    const layout = layouts.get(selector)
    if (index % 2 === 0 && layout) candidates.push(`0x${text.slice(index, findEnd(text, index, layout))}`)
    if (candidates.length === maxCandidates) break
  }
  return candidates
}

const wordLength = 64

/** The position after the arguments of a call that begins at an index; the index itself for a signature of no such length. */
function findEnd(text: string, index: number, { words, isSigned }: Layout): number {
  const end = index + 8 + wordLength * words
  if (!isSigned) return end
  const bytes = Number.parseInt(text.slice(end - wordLength, end), 16)
  return bytes <= maxSignatureBytes ? end + wordLength * Math.ceil(bytes / 32) : index
}
