import type { Hex } from 'viem'
import { expect } from 'vitest'
import type { ConvertOptions, Step } from '../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { eventually } from '../harness/timeLimits.ts'
import { recordSteps, type RecordedConversion } from './recordSteps.ts'
import type { SdkStack } from './startSdkStack.ts'

const chainId = 84532

/**
 * A conversion whose transaction is sent and not mined. Its steps are collected as JSON, as a page stores them, before `onStep` is
 * called.
 */
export async function startPending(
  stack: SdkStack,
  { onStep: afterStep, ...options }: Partial<ConvertOptions> = {},
): Promise<Pending> {
  const { agio } = stack
  const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
  const quote = await agio.quote(stack.request)
  const stored: string[] = []
  const onStep = async (step: Step) => {
    stored.push(JSON.stringify(step))
    if (step.kind === 'convert' && step.status === 'waiting-for-wallet')
      await stack.scenarios.run('no-mining', { chainId })
    await afterStep?.(step)
  }
  const ended = recordSteps(agio.convert({ quote, wallet, onStep, ...options }))
  const newest = () => JSON.parse(stored.at(-1) ?? 'null') as Step
  // The service has seen the transaction, so it recognises its replacement after all nodes have forgotten it.
  await expect.poll(() => newest().state.pending?.cursor, eventually).toBeDefined()
  const step = newest()
  expect(step).toMatchObject({ kind: 'confirm', status: 'needed' })
  return { wallet, step, hash: step.transactionHash as Hex, newest, ended }
}

export type Pending = {
  readonly wallet: TestWallet
  readonly step: Step
  readonly hash: Hex
  /** The newest step, as JSON. */
  readonly newest: () => Step
  readonly ended: Promise<RecordedConversion>
}

/** Steps of a conversion that this process has given up, as a killed process leaves them. */
export async function startAbandoned(stack: SdkStack, options: Partial<ConvertOptions> = {}): Promise<Pending> {
  const stop = new AbortController()
  const pending = await startPending(stack, { signal: stop.signal, ...options })
  stop.abort()
  await pending.ended
  return pending
}
