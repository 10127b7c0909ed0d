import { Errors } from '@agio/core'
import { getAddress, keccak256, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createCodeVerifier } from './createCodeVerifier.ts'
import type { Deployment } from '../deployment/Deployment.ts'

const [router, factory, faucet, reader, pool, rateReader, foreign] = [1, 2, 3, 4, 5, 6, 7].map((index) =>
  getAddress(`0x${String(index).repeat(40)}`),
) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex]
const ours = [router, factory, faucet, reader, pool, rateReader]
const codeOf = (address: Hex): Hex => `0x60${address.slice(2, 8)}`
const codeHashes = Object.fromEntries(ours.map((address) => [address, keccak256(codeOf(address))]))
const addresses = { router, factory, faucet, reader, pools: [foreign, pool], referenceToken: foreign }
const deployment: Deployment = { chainId: 84532, ...addresses, codeHashes }

/** Creates a verifier over nodes whose answers a test changes, on a clock that a test moves. */
function createVerifier(verified: Deployment = deployment, nodeCount = 1) {
  const nodes = Array.from({ length: nodeCount }, () => ({
    codes: new Map<unknown, unknown>(ours.map((address) => [address, codeOf(address)])),
    requests: 0,
    failure: undefined as Error | undefined,
    async read({ request }: { readonly request: { readonly params?: unknown } }) {
      this.requests += 1
      if (this.failure) throw this.failure
      return this.codes.get((request.params as readonly Hex[])[0])
    },
  }))
  const state = { nowMs: 0, reasons: [] as string[] }
  const verifier = createCodeVerifier({
    deployment: verified,
    listNodes: () => nodes,
    onRefused: (reason) => void state.reasons.push(reason),
    now: () => state.nowMs,
  })
  const [node] = nodes as [(typeof nodes)[number]]
  return { ...verifier, state, node, nodes }
}

describe('the code of a deployment', () => {
  it('the code of each listed contract is read once, and a verified chain needs no further request', async () => {
    const { verify, findRefusal, node } = createVerifier()
    await Promise.all([verify(), verify()])
    expect(node.requests).toBe(ours.length)
    expect(verify()).toBeUndefined()
    expect(findRefusal()).toBeUndefined()
  })

  it('a deployment without code hashes needs no request', () => {
    const { verify, node } = createVerifier({ ...deployment, codeHashes: undefined })
    expect(verify()).toBeUndefined()
    expect(node.requests).toBe(0)
  })

  it.each([
    ['router', router],
    ['factory', factory],
    ['faucet', faucet],
    ['reader', reader],
    ['pool', pool],
    ['contract', rateReader],
  ])('error: the verification names a %s with other code, and both hashes', async (name, address) => {
    const { verify, findRefusal, node, state } = createVerifier()
    node.codes.set(address, '0x6001')
    const [found, expected] = [keccak256('0x6001'), codeHashes[address]]
    const message = `Cannot serve chain 84532: ${name} ${address} has code ${found}, but the deployment file expects ${expected}`
    await expect(verify()).rejects.toMatchObject({ code: 'svc/upstream-error', message })
    expect(findRefusal()).toBe(message)
    expect(state.reasons).toEqual([message])
  })

  it('a refused chain is verified again after five seconds, and reports a reason once', async () => {
    const { verify, findRefusal, node, state } = createVerifier()
    node.codes.set(router, '0x')
    await expect(verify()).rejects.toThrow('has no code')
    state.nowMs = 4999
    await expect(verify()).rejects.toThrow('has no code')
    expect(node.requests).toBe(ours.length)
    state.nowMs = 5000
    await expect(verify()).rejects.toThrow('has no code')
    expect(state.reasons).toHaveLength(1)
    node.codes.set(router, codeOf(router))
    state.nowMs = 10_000
    await verify()
    expect(findRefusal()).toBeUndefined()
    expect(verify()).toBeUndefined()
  })

  it('a node that fails does not refuse the chain, and the next call verifies it', async () => {
    const { verify, findRefusal, node } = createVerifier()
    node.failure = Errors.upstreamUnavailable({ action: 'read the chain', reason: 'its node cannot be reached' })
    await expect(verify()).rejects.toBe(node.failure)
    expect(findRefusal()).toBeUndefined()
    node.failure = undefined
    await verify()
    expect(verify()).toBeUndefined()
  })

  it.each([
    ['has no code yet', '0x', undefined],
    ['has other code', '0x6001', undefined],
    ['returns no bytes', null, undefined],
    ['fails', undefined, new Error('refused')],
  ])('a contract is verified by the second node while the first node %s', async (_, code, failure) => {
    const { verify, node } = createVerifier(deployment, 2)
    node.codes.set(router, code)
    node.failure = failure
    await verify()
    expect(verify()).toBeUndefined()
  })

  it('error: a contract is refused by the flaw at the first node if no node returns its code', async () => {
    const { verify, nodes } = createVerifier(deployment, 2)
    nodes[0]?.codes.set(router, '0x')
    nodes[1]?.codes.set(router, '0x6001')
    await expect(verify()).rejects.toThrow(`router ${router} has no code on this chain`)
  })
})
