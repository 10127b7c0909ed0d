import type { ConvertOptions } from '../../../packages/sdk/src/index.ts'
import { walletKinds, type WalletKind } from './accounts.ts'

/** One conversion of an application, and how it goes with an honest service. */
export type Scenario = {
  readonly wallet: WalletKind
  /** How the input token is paid, which depends on the token. */
  readonly payment: Payment
  readonly mode: 'exact-in' | 'exact-out'
  readonly hops: 1 | 2
  readonly flow: Flow
  /** Whether another account receives the output. */
  readonly paysOther?: boolean
  readonly options?: Pick<ConvertOptions, 'approval' | 'onRefused' | 'onQuoteExpired'>
}

type Payment = keyof typeof tokens

/** The tokens by payment and number of hops. tAUD has permits, tEUR must be reset before another approval. */
export const tokens = {
  permit: { 1: ['tAUD', 'tUSD'], 2: ['tAUD', 'tEUR'] },
  approval: { 1: ['tUSD', 'tEUR'], 2: ['tEUR', 'tAUD'] },
  permit2: { 1: ['tUSD', 'tAUD'], 2: ['tEUR', 'tAUD'] },
  reset: { 1: ['tEUR', 'tUSD'], 2: ['tEUR', 'tAUD'] },
} as const

/**
 * What the application does:
 *
 * - `convert`: quotes and converts.
 * - `requote`: the same, and the first approval plan finds the quote expired.
 * - `resume`: an honest conversion stops at a step, and continues with the hostile service.
 * - `pending`: converts on a chain that does not mine the conversion.
 * - `speed-up`, `cancel`: replaces the pending transaction of an honest conversion.
 * - `leave`: converts, and the user switches the wallet to another chain once the conversion is sent.
 * - `watch`: converts at a watched quote, and watches the transaction, the prices and a pool.
 */
export type Flow =
  | { readonly kind: 'convert' | 'requote' | 'pending' | 'speed-up' | 'cancel' | 'leave' | 'watch' }
  | { readonly kind: 'resume'; readonly from: string }

/** The flows that need a chain which does not mine. */
export function needsPending({ flow }: Scenario): boolean {
  return flow.kind === 'pending' || flow.kind === 'speed-up' || flow.kind === 'cancel'
}

const flow = (kind: Exclude<Flow['kind'], 'resume'>): Flow => ({ kind })
const resume = (from: string): Flow => ({ kind: 'resume', from })
const permit = { payment: 'permit', mode: 'exact-in', hops: 1 } as const

/** Every wallet with every kind of token, in both modes over one and two pools, and every flow. */
export const scenarios: readonly Scenario[] = [
  ...walletKinds.flatMap((wallet) =>
    (['permit', 'approval'] as const).flatMap((payment) =>
      (['exact-in', 'exact-out'] as const).flatMap((mode) =>
        ([1, 2] as const).map((hops): Scenario => ({ wallet, payment, mode, hops, flow: flow('convert') })),
      ),
    ),
  ),
  ...(['local', 'confirming'] as const).flatMap((wallet): Scenario[] => [
    { wallet, payment: 'permit2', mode: 'exact-in', hops: 1, flow: flow('convert') },
    { wallet, payment: 'permit2', mode: 'exact-out', hops: 2, flow: flow('convert'), paysOther: true },
    { wallet, payment: 'reset', mode: 'exact-in', hops: 1, flow: flow('convert') },
    { wallet, ...permit, flow: flow('requote') },
    { wallet, payment: 'approval', mode: 'exact-out', hops: 2, flow: flow('requote') },
    { wallet, ...permit, flow: flow('watch') },
    { wallet, ...permit, flow: resume('permit done') },
    { wallet, payment: 'approval', mode: 'exact-in', hops: 1, flow: resume('approve sent') },
    { wallet, ...permit, flow: resume('convert sent'), paysOther: true },
    { wallet, ...permit, flow: flow('pending') },
    { wallet, ...permit, flow: flow('speed-up') },
    { wallet, ...permit, flow: flow('cancel') },
  ]),
  { wallet: 'confirming', ...permit, flow: flow('leave') },
  { wallet: 'batching', payment: 'approval', mode: 'exact-in', hops: 1, flow: flow('requote') },
  { wallet: 'batching', payment: 'approval', mode: 'exact-in', hops: 2, flow: resume('batch sent') },
  { wallet: 'smart', payment: 'approval', mode: 'exact-in', hops: 1, flow: resume('convert sent'), paysOther: true },
]

/** Returns the text that identifies a scenario in reports. */
export function formatScenario({ wallet, payment, mode, hops, flow, paysOther }: Scenario): string {
  const from = flow.kind === 'resume' ? ` from ${flow.from}` : ''
  return `${flow.kind}${from}: ${wallet} wallet, ${payment}, ${mode}, ${hops} hops${paysOther ? ', to another account' : ''}`
}
