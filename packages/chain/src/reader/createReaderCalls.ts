import type { Address } from '@agio/core'
import { LRUCache } from 'lru-cache'
import { encodeFunctionData, type Hex } from 'viem'
import { readerAbi, readerCode, routeReaderCode } from '../abi/index.ts'
import { OtherBlockError, type Proven } from '../proof/ProvenRead.ts'
import { decodeReaderResult, type ReaderFunction } from './decodeResult.ts'

// The address that holds the reader's code during a call. Nothing is deployed there.
const placedAt = '0xa610a610a610a610a610a610a610a610a610a610'
const routesPlacedAt: Address = '0xa611a611a611a611a611a611a611a611a611a611'

// A node may have invented a proof.
const proofValidForMs = 600_000

// Reads are of the newest blocks.
const maxTimes = 256

/**
 * Creates the calls of the Reader contract, whose code is placed by state override. For nodes that reject overrides,
 * `deployed` is the address of a Reader on chain. The results of some deployed versions contain no proof. Every other
 * result must contain a proof, and so must the results of a node that has returned a proof in the last ten minutes.
 */
export function createReaderCalls({ deployed, onLacksProof }: createReaderCalls.Options) {
  const to = deployed ?? placedAt
  // Some nodes reject null as the third parameter.
  const override = deployed ? [] : [{ [to]: { code: readerCode } }]
  const routesOverride = [{ ...override[0], [routesPlacedAt]: { code: routeReaderCode } }]
  const provenAtMs = new WeakMap<object, number>()
  const times = new LRUCache<Hex, bigint>({ max: maxTimes })
  let [lacksProof, isReported] = [false, false]

  function requiresProof(node: object): boolean {
    return deployed === undefined || performance.now() - (provenAtMs.get(node) ?? -Infinity) < proofValidForMs
  }
  function judge<Value>(result: Proven<Value>, node: object): Proven<Value> {
    const hasProof = result.chainId !== undefined
    if (!hasProof && requiresProof(node)) throw new Error('the node returns a result without a proof')
    if (hasProof) provenAtMs.set(node, performance.now())
    else if (!isReported) onLacksProof?.()
    lacksProof = !hasProof
    isReported ||= lacksProof
    return result
  }
  function create<name extends ReaderFunction>(functionName: name, count: number, call: ReaderCalls.Call) {
    const { data, at, readsRoutes } = call
    const block = at === 'latest' ? at : { blockHash: at }
    // Another node may announce another time of this block before the result arrives.
    const announcedSeconds = times.get(at as Hex)
    return {
      request: { method: 'eth_call', params: [{ to, data }, block, ...(readsRoutes ? routesOverride : override)] },
      canFail: false,
      lacksProof,
      decode(result: Hex, node: object) {
        const proven = judge(decodeReaderResult(functionName, count, result), node)
        // A node behind a load balancer may answer with the state of an earlier block.
        if (announcedSeconds !== undefined && announcedSeconds !== proven.value.timestampSeconds)
          throw new OtherBlockError('the node returns the state of another block')
        return proven
      },
    }
  }
  const data = encodeFunctionData({ abi: readerAbi, functionName: 'aggregate', args: [[]] })
  return {
    /** The address of the reader. */
    address: to,
    /** The address of the RouteReader in calls that read routes; undefined with a deployed reader. */
    routeReader: deployed ? undefined : routesPlacedAt,
    /** Creates a call of a function that reads `count` pools or makes `count` calls. */
    create,
    /** Creates the cheapest call at a block. It shows whether a node can answer the other calls at this block. */
    createProbe: (hash: Hex) => create('aggregate', 0, { data, at: hash }),
    /** Records the time of a block. Later reads at its hash must return the same time from inside the EVM. */
    recordTime: ({ hash, timestampSeconds }: { readonly hash: Hex; readonly timestampSeconds: bigint }) =>
      void times.set(hash, timestampSeconds),
  }
}

export declare namespace createReaderCalls {
  type Options = {
    /** The address of a deployed Reader. */
    readonly deployed?: Address | undefined
    /** Called once if the results of the deployed Reader contain no proof. */
    readonly onLacksProof?: (() => void) | undefined
  }
}

/** Creates the calls of the Reader contract. */
export type ReaderCalls = ReturnType<typeof createReaderCalls>

/** The hash of a block, or the newest block. */
export type BlockAt = Hex | 'latest'

export declare namespace ReaderCalls {
  type Call = {
    readonly data: Hex
    readonly at: BlockAt
    /** Whether the code of the RouteReader is also placed. */
    readonly readsRoutes?: boolean
  }
}
