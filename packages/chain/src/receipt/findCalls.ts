import type { Address } from '@agio/core'
import { toFunctionSelector, type AbiFunction, type Hex } from 'viem'
import { exactOutRouterAbi, poolAbi, routerAbi } from '../abi/index.ts'
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

const conversions: ReadonlySet<string> = new Set(['originSwap', 'originSwapTo', 'targetSwap', 'targetSwapTo'])

// All arguments are static: each is one word.
const sizes: ReadonlyMap<string, number> = new Map(
  [...routerAbi, ...exactOutRouterAbi, ...poolAbi]
    .filter((item): item is typeof item & AbiFunction => item.type === 'function' && conversions.has(item.name))
    .map((item) => [toFunctionSelector(item).slice(2), 8 + 64 * item.inputs.length]),
)

const selectors = new RegExp([...sizes.keys()].join('|'), 'g')

/** The parts of the calldata that begin with the selector of a conversion, in their order, each as long as its arguments. */
function listCandidates(text: string): readonly Hex[] {
  const candidates: Hex[] = []
  for (const { 0: selector, index } of text.matchAll(selectors)) {
    if (index % 2 === 0) candidates.push(`0x${text.slice(index, index + (sizes.get(selector) ?? 0))}`)
    if (candidates.length === maxCandidates) break
  }
  return candidates
}
