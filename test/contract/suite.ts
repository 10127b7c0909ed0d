import { chainIds, type ChainId } from '@agio/core'
import { describe, inject } from 'vitest'
import type { LocalChain } from '@agio/localnet'
import type { Caller } from './Caller.ts'
import { createRestCaller } from './createRestCaller.ts'
import { createTrpcCaller } from './createTrpcCaller.ts'

const transports = { REST: createRestCaller, tRPC: createTrpcCaller } as const

/** Declares the same tests for every runtime, transport and chain. */
export function suite(title: string, declare: (subject: Subject) => void): void {
  for (const target of inject('targets')) {
    for (const [transport, createCaller] of Object.entries(transports)) {
      for (const chainId of chainIds) {
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
