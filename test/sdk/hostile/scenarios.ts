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
  /** Whether the application has a node of its own. */
  readonly hasNode?: boolean
  /** Whether the application trusts the contracts of each quote instead of the pinned contracts. */
  readonly trustsService?: boolean
  /** Whether the user refuses to sign typed data, and the conversion continues with an approval. */
  readonly refusesPermits?: boolean
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
 * What happens:
 *
 * - `convert`: the application quotes and converts.
 * - `requote`: the same, and the first approval plan finds the quote expired.
 * - `watch`: the same with a watched quote. Then the application watches the transaction, the prices and a pool.
 * - `resume`: an honest conversion stops at a step, and continues with the hostile service.
 * - `reload`: the page is closed during a conversion with the hostile service, and continues from a stored step.
 * - `leave`: the user switches the wallet to another chain once the conversion is sent.
 * - `pending`: the conversion is not mined.
 * - `sped-up`, `cancelled`: the user replaces the pending conversion in the wallet.
 * - `speed-up`, `cancel`: the application replaces the pending transaction of an honest conversion.
 */
type Flow =
  | { readonly kind: 'convert' | 'requote' | 'watch' | 'leave' | PendingKind }
  | { readonly kind: 'resume'; readonly from: string }
  | {
      readonly kind: 'reload'
      /** The step that the page has stored. Default: the newest. */
      readonly from?: string
      /** When the page is closed: at a step, or when the wallet has sent the conversion and not responded. */
      readonly at: string
      readonly isPending?: true
    }

type PendingKind = 'pending' | 'sped-up' | 'cancelled' | 'speed-up' | 'cancel'

const pendingKinds: ReadonlySet<string> = new Set(['pending', 'sped-up', 'cancelled', 'speed-up', 'cancel'])

/** Returns whether the conversion is not mined at once. */
export function needsPending({ flow }: Scenario): boolean {
  return pendingKinds.has(flow.kind) || ('isPending' in flow && flow.isPending)
}

/** The moment when the wallet has sent the conversion and does not respond. */
export const lost = 'lost'

const flow = (kind: Exclude<Flow['kind'], 'resume' | 'reload'>): Flow => ({ kind })
const resume = (from: string): Flow => ({ kind: 'resume', from })
const permit = { payment: 'permit', mode: 'exact-in', hops: 1 } as const
const approval = { payment: 'approval', mode: 'exact-in', hops: 1 } as const

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
    { wallet, ...approval, flow: resume('approve sent') },
    { wallet, ...permit, flow: resume('convert sent'), paysOther: true },
    { wallet, ...permit, flow: flow('pending') },
    { wallet, ...permit, flow: flow('speed-up') },
    { wallet, ...permit, flow: flow('cancel') },
    { wallet, ...permit, flow: { kind: 'reload', from: 'quote done', at: 'convert sent' } },
    { wallet, ...approval, flow: { kind: 'reload', at: 'approve sent' } },
  ]),
  { wallet: 'confirming', ...permit, flow: { kind: 'reload', at: lost } },
  { wallet: 'confirming', ...permit, flow: { kind: 'reload', at: lost, isPending: true } },
  { wallet: 'confirming', ...permit, flow: flow('sped-up') },
  { wallet: 'confirming', ...permit, flow: flow('cancelled') },
  { wallet: 'confirming', ...permit, flow: flow('leave') },
  { wallet: 'confirming', ...permit, flow: flow('leave'), hasNode: true },
  { wallet: 'local', ...approval, flow: flow('convert'), hasNode: true },
  { wallet: 'confirming', ...permit, flow: flow('convert'), refusesPermits: true },
  { wallet: 'batching', ...approval, flow: flow('requote') },
  { wallet: 'batching', payment: 'approval', mode: 'exact-in', hops: 2, flow: resume('batch sent') },
  { wallet: 'smart', ...approval, flow: resume('convert sent'), paysOther: true },
]

/** A scenario of each flow, wallet, payment, mode, number of hops and option, with as few scenarios as that takes from the top. */
export const fewScenarios: readonly Scenario[] = scenarios.filter(
  (scenario, index) => !listFeatures(scenario).every((feature) => featuresBefore(index).has(feature)),
)

function featuresBefore(index: number): ReadonlySet<string> {
  return new Set(scenarios.slice(0, index).flatMap(listFeatures))
}

function listFeatures(scenario: Scenario): readonly string[] {
  return Object.entries(scenario).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
}
