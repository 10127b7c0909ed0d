import type { Address, Network } from '@agio/core'
import { encodeFunctionData, numberToHex, toFunctionSelector, type Hex } from 'viem'
import { exactOutRouterAbi } from '../abi/index.ts'
import { permit2Address, toPermit2Domain } from '../permit/permit2.ts'
import { toDomainSeparator } from '../permit/TypedData.ts'
import { createFact } from '../reader/createFact.ts'
import type { FactReader, FactSource } from '../reader/createFactReader.ts'
import { readEach } from '../reader/createReader.ts'
import type { Result } from '../reader/decodeResult.ts'

/** The ERC-165 id of `IExactOutRouter`: `originSwapTo`, `targetSwap` and `targetSwapTo`. */
export const exactOutRouterId = '0x29095ed4'

/** The ERC-165 id of `IPermitRouter`: its four functions. */
export const permitRouterId = '0xfb80837e'

/**
 * The features of a router that the routers of the DFX v2 / Stabull v1 family do not have. The two interfaces are
 * independent: a router may have either.
 */
export type RouterFeatures = {
  /** Whether the router converts for an exact output. */
  readonly targetSwap: boolean
  /** Whether the router can pay an account other than the sender. */
  readonly recipient: boolean
  /**
   * Whether the router takes an EIP-2612 permit instead of an allowance. With a permit it can pay any account, in both
   * modes.
   */
  readonly permit: boolean
  /**
   * Whether the router takes a signature for Permit2, and the chain has Permit2. With a signature it can pay any account,
   * in both modes.
   */
  readonly permit2: boolean
}

/**
 * Creates a function that reads the features of a router by ERC-165. A router that reverts, or returns anything but a
 * boolean, has no features. The features are read once, from all nodes. They are read again only after a read that failed,
 * found no contract, or was not confirmed by a second node. The function throws `svc/upstream-*`.
 */
export function createRouterFeatures(dependencies: createRouterFeatures.Dependencies): () => Promise<RouterFeatures> {
  const { facts, router, chainId } = dependencies
  const calls = [...probedIds.map((id) => ({ target: router, data: toCall(id) })), permit2Call]

  async function read(source: FactSource): Promise<RouterFeatures | undefined> {
    const [results = []] = await readEach([calls], async () => [(await source.aggregate(calls)).results])
    const interfaceResults = results.slice(0, probedIds.length)
    // Empty results mean that the router has no code. The node does not have the deployment yet.
    const isEmpty =
      interfaceResults.length > 0 && interfaceResults.every(({ success, data }) => success && data === '0x')
    if (isEmpty) return undefined
    const [erc165, invalid, exactOut, permit] = interfaceResults
    const supportsErc165 = isEqual(erc165, yes) && isEqual(invalid, no)
    const [hasExactOut, hasPermit] = [supportsErc165 && isEqual(exactOut, yes), supportsErc165 && isEqual(permit, yes)]
    const hasPermit2 = isEqual(results[probedIds.length], toDomainSeparator(toPermit2Domain(chainId)))
    return { targetSwap: hasExactOut, recipient: hasExactOut, permit: hasPermit, permit2: hasPermit && hasPermit2 }
  }
  const get = createFact({ facts, read, isKept: (features) => features !== undefined })
  return async () => (await get()) ?? none
}

export declare namespace createRouterFeatures {
  type Dependencies = {
    readonly facts: FactReader
    readonly router: Address
    readonly chainId: Network.ChainId
  }
}

const none: RouterFeatures = { targetSwap: false, recipient: false, permit: false, permit2: false }

// The ids of ERC-165 itself, of no contract (0xffffffff), and of our interfaces.
const probedIds = ['0x01ffc9a7', '0xffffffff', exactOutRouterId, permitRouterId] as const
const [no, yes] = [numberToHex(0, { size: 32 }), numberToHex(1, { size: 32 })]

const permit2Call = { target: permit2Address, data: toFunctionSelector('DOMAIN_SEPARATOR()') } as const

function toCall(id: Hex): Hex {
  return encodeFunctionData({ abi: exactOutRouterAbi, functionName: 'supportsInterface', args: [id] })
}

function isEqual(result: Result | undefined, word: Hex): boolean {
  return result?.success === true && result.data === word
}
