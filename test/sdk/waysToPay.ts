import { permit2Address } from '@agio/chain'
import { maxUint256 } from 'viem'
import type { Prompt } from '../../packages/sdk/src/testing.ts'
import type { AgioStack } from '../harness/startAgio.ts'
import type { Payment } from './killableConversion.ts'

/** The ways to pay for a conversion, each with all of its steps and the prompts of the wallet. */
export const waysToPay: readonly WayToPay[] = [
  {
    name: 'a permit',
    toPayment: () => ({ from: 'tAUD', to: 'tUSD' }),
    steps: ['permit needed', 'permit waiting-for-wallet', 'permit done', ...listConverting()],
    prompts: ['eth_signTypedData_v4', 'eth_sendTransaction'],
  },
  {
    name: 'Permit2',
    toPayment: () => ({ from: 'tUSD', to: 'tAUD', approved: [[permit2Address, maxUint256]] }),
    steps: ['permit needed', 'permit waiting-for-wallet', 'permit done', ...listConverting()],
    prompts: ['eth_signTypedData_v4', 'eth_sendTransaction'],
  },
  {
    name: 'an approval after a reset',
    toPayment: ({ router }) => ({ from: 'tEUR', to: 'tUSD', approved: [[router, 1n]] }),
    steps: [...listApproving('reset'), ...listApproving('approve'), ...listConverting()],
    prompts: ['eth_sendTransaction', 'eth_sendTransaction', 'eth_sendTransaction'],
  },
  {
    name: 'a batch',
    toPayment: ({ router }) => ({ from: 'tEUR', to: 'tAUD', approved: [[router, 1n]], canBatch: true }),
    steps: ['needed', 'waiting-for-wallet', 'sent', 'done'].map((status) => `batch ${status}`),
    prompts: ['wallet_sendCalls'],
  },
]

export type WayToPay = {
  readonly name: string
  readonly toPayment: (deployment: AgioStack['localnet']['chains'][84532]['deployment']) => Payment
  /** Between `quote done` and `confirm needed`. */
  readonly steps: readonly string[]
  readonly prompts: readonly Prompt['method'][]
}

function listApproving(purpose: 'reset' | 'approve'): readonly string[] {
  return ['needed', 'waiting-for-wallet', 'sent', 'done'].map((status) => `approve ${purpose} ${status}`)
}

function listConverting(): readonly string[] {
  return ['needed', 'waiting-for-wallet', 'sent'].map((status) => `convert ${status}`)
}
