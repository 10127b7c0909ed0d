import { vi } from 'vitest'
import type { Decision, TestWallet } from '../../packages/sdk/src/testing.ts'
import { eventually } from '../harness/timeLimits.ts'

/** Lets a wallet wait at one of its next prompts, the first being 1. It confirms the others. */
export function holdPrompt(wallet: TestWallet, prompt: number) {
  const index = wallet.prompts.length + prompt
  const { promise, resolve } = Promise.withResolvers<Decision>()
  wallet.answer(() => (wallet.prompts.length === index ? promise : 'confirm'))
  return {
    /** Resolves once the wallet shows the prompt. */
    shown: () => vi.waitUntil(() => wallet.prompts.length === index, eventually),
    answer: resolve,
  }
}
