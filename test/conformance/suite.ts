import { chainIds, type ChainId } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { describe, inject, type ProvidedContext } from 'vitest'
import type { Target } from '../harness/Target.ts'
import type { Caller } from '../harness/Caller.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { retryTimeouts } from './retryTimeouts.ts'

const transports = { REST: createRestCaller, tRPC: createTrpcCaller } as const

/**
 * Declares the same tests for every pair of runtime and transport, of runtime and chain, and of transport and chain: in half of
 * all combinations, in a quick run in the first of them, and in the exhaustive tests over forks alone.
 */
export function suite(title: string, declare: (subject: Subject) => void): void {
  for (const { target, transport, chainId } of listCells(inject('extent'))) {
    const call = transports[transport](target)
    describe(`${title} (${target.name}, ${transport}, ${chainId})`, () => {
      declare({
        call: target.isOverForks ? retryTimeouts(call) : call,
        chainId,
        chain: target.chains[chainId],
        transport,
      })
    })
  }
}

type Transport = keyof typeof transports

type Cell = { readonly target: Target; readonly transport: Transport; readonly chainId: ChainId }

function listCells(extent: ProvidedContext['extent']): readonly Cell[] {
  const names = Object.keys(transports) as Transport[]
  const cells = inject('targets').flatMap((target, row) =>
    names.flatMap((transport, column) => {
      const paired = chainIds.filter((_, index) => index === (row + column) % chainIds.length)
      return paired.map((chainId): Cell => ({ target, transport, chainId }))
    }),
  )
  if (extent === 'quick') return cells.slice(0, 1)
  return extent === 'exhaustive' ? cells.slice(-names.length) : cells
}

export type Subject = {
  readonly call: Caller
  readonly chainId: ChainId
  readonly chain: LocalChain
  readonly transport: Transport
}
