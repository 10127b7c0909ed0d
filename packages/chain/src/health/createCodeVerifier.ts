import { Errors, type Address, type ServiceError } from '@agio/core'
import { isHex, keccak256, type Hex } from 'viem'
import type { Deployment } from '../deployment/Deployment.ts'
import type { UpstreamNode } from './UpstreamNode.ts'

// A refused chain is verified again after this time. Its code may appear, for example on a node that lags behind.
const recheckMs = 5000

/**
 * Verifies once that the contracts of a deployment have the code that its file lists. Foreign contracts are not listed,
 * so they are not verified. Concurrent calls share one verification.
 */
export function createCodeVerifier({ deployment, listNodes, ...options }: createCodeVerifier.Dependencies) {
  const { now = () => performance.now(), onRefused } = options
  const listed = Object.entries(deployment.codeHashes ?? {}) as [Address, Hex][]
  let isVerified = listed.length === 0
  let refused: { readonly error: ServiceError; readonly atMs: number } | undefined
  let verifying: Promise<void> | undefined

  /** A node may lag behind or respond with errors, so a contract is verified once any node returns its code. */
  async function findFlaw([address, expected]: readonly [Address, Hex]): Promise<string | undefined> {
    const request = { method: 'eth_getCode', params: [address, 'latest'] }
    let flaw: string | undefined
    let failure: unknown
    for (const node of listNodes()) {
      try {
        const code = await node.read({ request, startedAtMs: performance.now() })
        const found = describeCode(code, expected)
        if (found === undefined) return undefined
        flaw ??= `${nameContract(deployment, address)} ${address} ${found}`
      } catch (error) {
        failure ??= error
      }
    }
    if (flaw === undefined) throw failure
    return flaw
  }
  async function verify(): Promise<void> {
    if (refused && now() - refused.atMs < recheckMs) throw refused.error
    const flaws = await Promise.all(listed.map(findFlaw))
    const flaw = flaws.find((found) => found !== undefined)
    if (flaw !== undefined) throw refuse(flaw)
    isVerified = true
    refused = undefined
  }
  function refuse(reason: string): ServiceError {
    const error = Errors.upstreamError({ action: `serve chain ${deployment.chainId}`, reason })
    if (refused?.error.message !== error.message) onRefused?.(error.message)
    refused = { error, atMs: now() }
    return error
  }
  return {
    /**
     * Returns undefined once the code is verified, without a request. Until then, reads the code of all contracts.
     *
     * @throws `svc/upstream-error` if a contract has other code or none, and the errors of the nodes
     */
    verify(): Promise<void> | undefined {
      if (isVerified) return undefined
      verifying ??= verify().finally(() => (verifying = undefined))
      return verifying
    },
    /** Returns, from memory, why the chain is refused; undefined if it is not refused. */
    findRefusal: () => refused?.error.message,
  }
}

export declare namespace createCodeVerifier {
  type Dependencies = {
    readonly deployment: Deployment
    /** Lists the nodes to use, in order of preference. @throws the error of a node if no node can be used */
    readonly listNodes: () => readonly Pick<UpstreamNode, 'read'>[]
    /** Called with the reason when the chain is refused, and again when the reason changes. */
    readonly onRefused?: ((reason: string) => void) | undefined
    readonly now?: (() => number) | undefined
  }
}

/** Verifies the code of our contracts. */
export type CodeVerifier = ReturnType<typeof createCodeVerifier>

/** Returns how a code differs from the expected code; undefined if it is equal. @throws `svc/upstream-error` if it is not in hexadecimal */
function describeCode(code: unknown, expected: Hex): string | undefined {
  if (!isHex(code)) throw Errors.upstreamError({ action: 'read the chain', reason: 'its node returned no code' })
  if (code === '0x') return 'has no code on this chain'
  const found = keccak256(code)
  return found === expected ? undefined : `has code ${found}, but the deployment file expects ${expected}`
}

function nameContract({ router, factory, reader, faucet, pools }: Deployment, address: Address): string {
  if (pools.includes(address)) return 'pool'
  const names: CodeNames = { [router]: 'router' }
  for (const [name, named] of Object.entries({ factory, reader, faucet })) if (named) names[named] = name
  return names[address] ?? 'contract'
}

type CodeNames = Partial<Record<Address, string>>
