import type { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { describe, inject } from 'vitest'
import type { Target } from '../harness/Target.ts'
import type { Caller } from '../harness/Caller.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'

const transports = { REST: createRestCaller, tRPC: createTrpcCaller } as const

/**
 * Declares the same tests over REST and tRPC for each column: Node on the first chain in `pnpm test`; Deno, forks and the
 * second chain every night.
 *
 * @param targets the columns to test. Default: all columns of the run
 */
export function suite(
  title: string,
  declare: (subject: Subject) => void,
  targets: readonly Target[] = inject('targets'),
) {
  const names = Object.keys(transports) as Transport[]
  const cells = targets.flatMap((target) => names.map((transport) => ({ target, transport })))
  for (const { target, transport } of cells) {
    const { chainId, chains } = target
    const call = transports[transport](target)
    describe(`${title} (${target.name}, ${transport}, ${chainId})`, () => {
      declare({ call, chainId, chain: chains[chainId], transport, target })
    })
  }
}

type Transport = keyof typeof transports

export type Subject = {
  readonly call: Caller
  readonly chainId: Network.ChainId
  readonly chain: LocalChain
  readonly transport: Transport
  readonly target: Target
}
