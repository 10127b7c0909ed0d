import type { Localnet } from '@agio/localnet'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'

type Fields = Readonly<Record<string, unknown>>

/** The address that transfers pay. */
export const receiver = '0x00000000000000000000000000000000000000a1'

/** A transfer of one wei. */
export const empty = { to: receiver, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const

type Change = Partial<Unsigned>

type Running = {
  localnet: Localnet
  stack: AgioStack
  owner: Owner
  wallet: Awaited<ReturnType<typeof createWallet>>
}

/** A transaction that the service has built, with its nonce. */
export type Built = Unsigned & { readonly nonce: number }

/** Starts a stack before the tests of a file, with a new wallet for each test, and stops it afterwards. */
export function setUpTracking() {
  // Each part is there once the hooks have run.
  const running = {} as Running

  beforeAll(async () => {
    // Only transactions and the tests mine blocks.
    running.stack = await startAgio({ finalityBlocks: 2, broadcastWaitMs: 200 })
    running.localnet = running.stack.localnet
    running.owner = connectOwner(running.localnet.chains[84532])
  })

  beforeEach(async () => {
    running.wallet = await createWallet(running.localnet.chains[84532])
  })

  afterEach(() => running.stack.scenarios.reset())
  afterAll(() => running.stack?.[Symbol.asyncDispose]())

  async function sign(change: Change = {}): Promise<Hex> {
    return await running.wallet.sign(running.stack.callers.REST, { ...empty, ...change })
  }

  async function send(change: Change = {}) {
    const signed = await sign(change)
    const hash = await running.owner.client.sendRawTransaction({ serializedTransaction: signed })
    return { hash, signed, transaction: { ...empty, ...change } }
  }

  /** Signs a transaction of the service with its nonce, and broadcasts it through the service. */
  async function broadcastBuilt(built: Built): Promise<string> {
    const call = async () => ({ status: 200, data: { nonce: built.nonce } })
    const signedTransaction = await running.wallet.sign(call, built)
    const { data } = await running.stack.callers.REST('transaction.broadcast', { signedTransaction })
    expect(data).toMatchObject({ status: 'pending' })
    return String(data?.['transactionHash'])
  }

  async function track(input: Fields): Promise<Fields> {
    const outcome = await running.stack.callers.REST('transaction.track', input)
    expect(outcome).toMatchObject({ status: 200 })
    return outcome.data ?? {}
  }

  return Object.assign(running, { send, track, sign, broadcastBuilt })
}
