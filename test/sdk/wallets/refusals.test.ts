import { describe, expect, it } from 'vitest'
import { partOf } from '../../harness/partOf.ts'
import { setUp } from '../../harness/setUp.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { createActor, rpcError, type Behaviour } from './createActor.ts'
import { paidBy, runThrough } from './runThrough.ts'

const stack = setUp(startSdkStack)

/** What wallets throw when the user says no. */
const refusals: readonly (readonly [string, unknown])[] = [
  ['4001', rpcError(4001, 'x')],
  ['a code of ethers', rpcError('ACTION_REJECTED', 'x')],
  ['words', rpcError(undefined, 'User canceled')],
]

/** An error that says nothing about what became of a request. */
const unrecognised = rpcError(-32603, 'Internal JSON-RPC error.')
const failing = (error: unknown) => async () => {
  throw error
}

/** Converts from an account that signs permits. Returns how it ended, and the methods of the prompts. */
async function convert(behaviour: Partial<Behaviour>, options: Parameters<typeof runThrough>[2] = {}) {
  const actor = await createActor(stack, { account: 'key', ...behaviour })
  const { outcome, steps } = await runThrough(stack, actor, options)
  return { outcome: { ...outcome, prompts: actor.prompts.map(({ method }) => method) }, steps }
}

/** What a conversion that ended without a payment says. */
const unpaid = (code: string, ...prompts: readonly string[]) => ({ code, isSettled: true, payments: 0, prompts })

describe('a user who says no', () => {
  it.each(refusals)('to a permit by %s is not asked for an approval instead', async (_, error) => {
    const { outcome } = await convert({ sign: failing(error) })
    expect(outcome).toMatchObject(unpaid('wallet/rejected', 'eth_signTypedData_v4'))
  })

  it('to the upgrade of the account (5750) is not asked for a permit instead', async () => {
    const answer = failing(rpcError(5750, 'User rejected the upgrade of the account.'))
    const { outcome } = await convert({ forgets: () => true, answer, status: () => ({ status: 100 }) })
    expect(outcome).toMatchObject(unpaid('wallet/rejected', 'wallet_sendCalls'))
  })
})

/** An error of another window, which a page may not read. */
const unreadable = new Proxy(new Error('x'), {
  get() {
    throw new Error('Blocked a frame from accessing a cross-origin frame.')
  },
})

/** A wallet knows the batches that it has sent. */
function toStatus(hash: unknown) {
  if (hash === undefined) throw rpcError(5730, 'Unknown bundle id')
  return { status: 200 }
}

describe.each([
  ['a transaction', { isApproved: true }, 'eth_sendTransaction'],
  ['a batch', { status: toStatus }, 'wallet_sendCalls'],
] as const)('a request for %s', (_, behaviour, prompt) => {
  const failures: readonly (readonly [string, unknown])[] = [
    ['words of a refusal', rpcError(-32000, 'Transaction rejected by relay')],
    ['an error that says nothing', unrecognised],
    ['a lost connection', rpcError(4900, 'Disconnected')],
    ['an error of its node', rpcError(-32603, 'Internal JSON-RPC error.', { data: { code: -32601 } })],
    ['an error of its relay', rpcError(-32000, 'Upstream error', { data: { code: 5000 } })],
  ]
  it.each(partOf(failures, 2))(
    'that fails with %s and is sent later is paid once, without another prompt',
    async (__, error) => {
      const { outcome } = await convert({ ...behaviour, account: 'code', delayReads: 12, answer: failing(error) })
      expect(outcome).toMatchObject({ code: 'success', payments: 1, prompts: [prompt] })
    },
  )

  const endings = [
    ['words of a refusal', rpcError(-32000, 'Transaction rejected by relay'), 'wallet/rejected'],
    ['an error that says nothing', unrecognised, 'wallet/failed'],
    ['an error that cannot be read', unreadable, 'wallet/failed'],
  ] as const
  it.each(partOf(endings))(
    'that fails with %s and is never sent ends as dropped at its deadline, without another prompt',
    async (__, error, code) => {
      const failingToo = { ...behaviour, forgets: () => true, answer: failing(error) }
      const { outcome, steps } = await convert(failingToo, { patience: 20 })
      expect(outcome).toMatchObject(unpaid('convert/dropped', prompt))
      // Until then, the error says that the chain decides.
      expect(steps.find(({ status }) => status === 'failed')).toMatchObject({ error: { code, action: 'resume' } })
    },
  )
})

describe('the next way', () => {
  it.each(partOf([-32601, -32602, 4100, 4200]))('follows a permit that the wallet cannot sign (%i)', async (code) => {
    const { outcome } = await convert({ sign: failing(rpcError(code, 'unsupported')) })
    expect(outcome).toMatchObject({ code: 'success', prompts: { length: 3 } })
  })

  it.each(partOf([5700, -32601, -32602, 4100, 4200, 5710, 5740, 5760], 2))(
    'follows a batch that the wallet cannot send (%i)',
    async (code) => {
      const fails = failing(rpcError(code, 'unsupported'))
      const { outcome } = await convert({
        forgets: (prompt) => prompt === 1,
        answer: ({ batchId, hash }) => (batchId ? fails() : hash),
        status: () => ({ status: 100 }),
      })
      const prompts = ['wallet_sendCalls', 'eth_signTypedData_v4', 'eth_sendTransaction']
      expect(outcome).toEqual({ ...paidBy(0), prompts })
    },
  )

  it('does not follow a permit that the wallet cannot sign with `onRefused: stop`', async () => {
    const { outcome } = await convert({ sign: failing(rpcError(4200, 'unsupported')) }, { onRefused: 'stop' })
    expect(outcome).toMatchObject(unpaid('wallet/failed', 'eth_signTypedData_v4'))
  })

  it('does not follow a permit that fails with an error that says nothing', async () => {
    const { outcome } = await convert({ sign: failing(unrecognised) })
    expect(outcome).toMatchObject(unpaid('wallet/failed', 'eth_signTypedData_v4'))
  })
})
