import type { Address } from '@agio/core'
import { toFunctionSelector, type AbiFunction, type Hex } from 'viem'
import { exactOutRouterAbi, permitRouterAbi, poolAbi, routerAbi } from '../abi/index.ts'
import { decodeConversionCall, type DecodedConversionCall } from '../call/decodeConversionCall.ts'
import type { Deployment } from '../deployment/Deployment.ts'

type Contracts = Pick<Deployment, 'router' | 'pools'>

// A transaction may contain any calldata. This bound keeps the search fast.
const maxCandidates = 100

/**
 * Finds the calls of the deployment's router and pools in the calldata of another contract, such as a smart account. A
 * call is found by its selector, if its arguments decode and the calldata also contains the called address.
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

// All arguments of these functions take one word each.
const conversions: ReadonlySet<string> = new Set(['originSwap', 'originSwapTo', 'targetSwap', 'targetSwapTo'])

// The number of words of the arguments before the bytes of the signature. The last of these words is the length of the
// signature. The struct of a swap has seven words. A permit has the offset of its struct, an amount, a deadline, an
// offset and a length. Permit2 has a digest, an offset and a length.
const signedWords: Readonly<Record<string, number>> = {
  originSwapWithPermit: 12,
  targetSwapWithPermit: 12,
  originSwapWithPermit2: 10,
  targetSwapWithPermit2: 10,
}

// The signature of a contract can have any length, but not more than a few thousand bytes in practice.
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

/**
 * Lists the parts of the calldata that begin with the selector of a conversion, in order. Each part is as long as its
 * arguments.
 */
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

/**
 * Returns the end of the arguments of a call that begins at an index. Returns the index itself if the signature of the
 * call is too long.
 */
function findEnd(text: string, index: number, { words, isSigned }: Layout): number {
  const end = index + 8 + wordLength * words
  if (!isSigned) return end
  const bytes = Number.parseInt(text.slice(end - wordLength, end), 16)
  return bytes <= maxSignatureBytes ? end + wordLength * Math.ceil(bytes / 32) : index
}
