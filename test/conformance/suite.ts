import { tokenAbi } from '@agio/chain/abi'
import type { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { maxUint256, type Hex } from 'viem'
import { describe, inject } from 'vitest'
import type { Target } from '../harness/Target.ts'
import type { Caller } from '../harness/Caller.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { writeContract } from '../harness/writeContract.ts'

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

export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** Approves Permit2 for tUSD, without the service. */
export async function approvePermit2(chain: LocalChain, account: Hex, amountRaw = maxUint256): Promise<void> {
  const approve = { address: chain.tokens['tUSD'], abi: tokenAbi, functionName: 'approve' } as const
  await writeContract(connectOwner(chain).client, { ...approve, account, args: [permit2, amountRaw] })
}
