import type { Address } from '@agio/core'
import { encodeFunctionData, numberToHex, type Hex } from 'viem'
import { exactOutRouterAbi } from '../abi/index.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Reader, Result } from '../reader/createReader.ts'
import { readEach } from '../reader/readEach.ts'

/** The id by ERC-165 of `IExactOutRouter`: `originSwapTo`, `targetSwap` and `targetSwapTo`. */
export const exactOutRouterId = '0x29095ed4'

/** What a router can do beyond those of the DFX v2 / Stabull v1 family. */
export type RouterFeatures = {
  /** Whether it converts for an exact output. */
  readonly targetSwap: boolean
  /** Whether it can pay another account than the sender. */
  readonly recipient: boolean
}

/**
 * Finds the features of a router by ERC-165, never by its name: one that reverts or returns anything but a truth value has
 * none. It is read once, and again only after a read that failed or found no contract.
 *
 * @returns the read, which throws `svc/upstream-*`
 */
export function createRouterFeatures({ reader, router }: createRouterFeatures.Settings): () => Promise<RouterFeatures> {
  const calls = probedIds.map((id) => ({ target: router, data: toCall(id) }))
  let known: Promise<RouterFeatures> | undefined

  async function read(): Promise<RouterFeatures> {
    const [results = []] = await readEach([calls], async () => [(await reader.aggregate(calls)).results])
    // Without code: the node lags behind the deployment.
    if (results.length > 0 && results.every(({ success, data }) => success && data === '0x')) known = undefined
    const isSupported = results.length > 0 && results.every((result, index) => isEqual(result, expected[index]))
    return { targetSwap: isSupported, recipient: isSupported }
  }

  return async () => {
    known ??= read()
    try {
      return await known
    } catch (error) {
      known = undefined
      return rethrowUpstream(error)
    }
  }
}

export declare namespace createRouterFeatures {
  type Settings = { readonly reader: Pick<Reader, 'aggregate'>; readonly router: Address }
}

// ERC-165 itself, the id that no contract may have, and ours.
const probedIds = ['0x01ffc9a7', '0xffffffff', exactOutRouterId] as const
const expected = [true, false, true].map((is) => numberToHex(is ? 1 : 0, { size: 32 }))

function toCall(id: Hex): Hex {
  return encodeFunctionData({ abi: exactOutRouterAbi, functionName: 'supportsInterface', args: [id] })
}

function isEqual({ success, data }: Result, word: Hex | undefined): boolean {
  return success && data === word
}
