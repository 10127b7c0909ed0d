import { Errors } from '@agio/core'
import { describe, expect, it } from 'vitest'
import { createNodeCircuit } from './createNodeCircuit.ts'
import type { NodeStatus } from './UpstreamNode.ts'

const failure = Errors.upstreamUnavailable({ action: 'read the chain', reason: 'its node cannot be reached' })
const unavailable: NodeStatus = { state: 'unavailable', failure }
const wrongChain: NodeStatus = { state: 'wrong-chain', failure, servedChainId: 1 }

function start({ hasSubstitute = true } = {}) {
  const changes: string[] = []
  const circuit = createNodeCircuit({
    hasSubstitute: () => hasSubstitute,
    onChange: ({ state }) => changes.push(state),
  })
  return {
    circuit,
    changes,
    /** Records faults of requests that are sent one after another. */
    fail(count: number) {
      for (let index = 0; index < count; index += 1) circuit.recordFault(failure, { startedAtMs: Infinity, weight: 1 })
    },
  }
}

it.each([
  { hasSubstitute: true, limit: 2 },
  { hasSubstitute: false, limit: 5 },
])(
  'the circuit of a node opens after $limit faults in a row (with a healthy substitute: $hasSubstitute)',
  ({ hasSubstitute, limit }) => {
    const { circuit, changes, fail } = start({ hasSubstitute })
    fail(limit - 1)
    circuit.recordSuccess()
    fail(limit - 1)
    expect([circuit.isUsable(), changes]).toEqual([true, []])
    fail(1)
    expect([circuit.isUsable(), circuit.status(), changes]).toEqual([false, unavailable, ['unavailable']])
  },
)

it('a probe that began before a reset does not change the state', () => {
  const { circuit, changes, fail } = start()
  fail(2)
  const conclude = circuit.beginProbe()
  circuit.reset()
  conclude(unavailable)
  expect(changes).toEqual(['unavailable', 'healthy'])
})

it('a node of another chain keeps that state while it does not answer its probes', () => {
  const { circuit, changes } = start()
  circuit.set(wrongChain)
  circuit.beginProbe()(unavailable)
  expect([circuit.status(), changes]).toEqual([wrongChain, ['wrong-chain']])
  circuit.beginProbe()({ state: 'healthy' })
  expect(circuit.status()).toEqual({ state: 'healthy' })
})

describe('a node that was unproven', () => {
  const unproven: NodeStatus = { state: 'unproven', failure }

  it.each<NodeStatus>([unavailable, { state: 'lagging', failure }, wrongChain])(
    'a node that was unproven and is then $state must prove its answers until it is healthy',
    (next) => {
      const { circuit } = start()
      circuit.set(unproven)
      circuit.set(next)
      expect(circuit.mustProve()).toBe(true)
      circuit.beginProbe()({ state: 'healthy' })
      expect(circuit.mustProve()).toBe(false)
    },
  )

  it('a probe that began before the node was unproven does not close the circuit', () => {
    const { circuit } = start()
    circuit.set({ state: 'lagging', failure })
    const conclude = circuit.beginProbe()
    circuit.set(unproven)
    conclude({ state: 'healthy' })
    expect(circuit.status()).toEqual(unproven)
  })
})
