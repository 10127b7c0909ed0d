import { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { describe, inject, type ProvidedContext } from 'vitest'
import type { Target } from '../harness/Target.ts'
import type { Caller } from '../harness/Caller.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { retryTimeouts } from './retryTimeouts.ts'

const transports = { REST: createRestCaller, tRPC: createTrpcCaller } as const

/**
 * Declares the same tests for every pair of runtime and transport, over one chain or the other: on Node in `pnpm test`, on Deno,
 * through trpc-to-openapi's own handler and over forks in the exhaustive tests, and for one pair in a quick run.
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

type Cell = { readonly target: Target; readonly transport: Transport; readonly chainId: Network.ChainId }

function listCells(extent: ProvidedContext['extent']): readonly Cell[] {
  const names = Object.keys(transports) as Transport[]
  const cells = inject('targets').flatMap((target, row) =>
    names.flatMap((transport, column) => {
      const paired = Network.chainIds.filter((_, index) => index === (row + column) % Network.chainIds.length)
      return paired.map((chainId): Cell => ({ target, transport, chainId }))
    }),
  )
  return extent === 'quick' ? cells.slice(0, 1) : cells
}

export type Subject = {
  readonly call: Caller
  readonly chainId: Network.ChainId
  readonly chain: LocalChain
  readonly transport: Transport
}
