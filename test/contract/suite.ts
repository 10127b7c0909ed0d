import { chainIds, type ChainId } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { describe, inject } from 'vitest'
import type { Caller } from './Caller.ts'
import { createRestCaller } from './createRestCaller.ts'
import { createTrpcCaller } from './createTrpcCaller.ts'

const transports = { REST: createRestCaller, tRPC: createTrpcCaller } as const

/** Declares the same tests for every runtime, transport and chain; in a quick run for the first of each. */
export function suite(title: string, declare: (subject: Subject) => void): void {
  const count = inject('extent') === 'quick' ? 1 : Infinity
  for (const target of inject('targets')) {
    for (const [transport, createCaller] of Object.entries(transports).slice(0, count)) {
      for (const chainId of chainIds.slice(0, count)) {
        describe(`${title} (${target.name}, ${transport}, ${chainId})`, () => {
          declare({
            call: createCaller(target),
            chainId,
            chain: target.chains[chainId],
            transport: transport as 'REST' | 'tRPC',
          })
        })
      }
    }
  }
}

export type Subject = {
  readonly call: Caller
  readonly chainId: ChainId
  readonly chain: LocalChain
  readonly transport: keyof typeof transports
}
