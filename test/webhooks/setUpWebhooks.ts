import type { Localnet } from '@agio/localnet'
import { keccak256, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startReceiver, type Receiver } from './startReceiver.ts'

type Fields = Readonly<Record<string, unknown>>

/** Limits that no test reaches. */
export const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }

const sink = '0x00000000000000000000000000000000000000a1'

const empty = { chainId: 84532, to: sink, data: '0x', value: '1', gasLimit: '21000' } as const

type Running = {
  localnet: Localnet
  stack: AgioStack
  owner: Owner
  wallet: Awaited<ReturnType<typeof createWallet>>
  receiver: Receiver
  key: { readonly id: string; readonly key: string }
}

/** Starts a stack before the tests of a file, with a new key, wallet and receiver for each test, and stops it afterwards. */
export function setUpWebhooks() {
  // Each part is there once the hooks have run.
  const running = {} as Running

  beforeAll(async () => {
    // Only transactions and the tests mine blocks.
    running.stack = await startAgio({
      ownDatabase: true,
      finalityBlocks: 2,
      broadcastWaitMs: 1000,
      webhookTargets: 'local',
      webhookRetrySeconds: [0.01, 0.01],
      // An attempt that takes longer is repeated, also on a machine that stands still. The tests count the attempts.
      webhookTimeoutMs: 60_000,
    })
    running.localnet = running.stack.localnet
    running.owner = connectOwner(running.localnet.chains[84532])
  })

  // Its own key: events that other tests left behind are not delivered.
  beforeEach(async () => {
    running.wallet = await createWallet(running.localnet.chains[84532])
    running.receiver = await startReceiver()
    running.key = await createAdminClient(running.stack.url).issue(roomy)
  })

  afterEach(async () => {
    await running.stack.scenarios.reset()
    await running.receiver[Symbol.asyncDispose]()
  })

  afterAll(async () => {
    await running.stack?.[Symbol.asyncDispose]()
  })

  /** Finalizes a transaction, and waits until another key has received that twice: each time after the first key would have. */
  async function finalizeForAnother(transactionHash: Hex): Promise<void> {
    await using other = await startReceiver()
    const issued = await createAdminClient(running.stack.url).issue(roomy)
    const callOther = createRestCaller({ url: running.stack.url, apiKey: issued.key })
    await callOther('webhooks.create', { url: other.url })
    await callOther('webhooks.watch', { transactionHash })
    await expect.poll(() => other.types(), eventually).toEqual(['transaction.included'])
    await running.owner.client.mine({ blocks: 2 })
    await expect.poll(() => other.types(), eventually).toContain('transaction.safe')
    await running.owner.client.mine({ blocks: 2 })
    await expect.poll(() => other.types(), eventually).toContain('transaction.finalized')
  }

  async function create(fields: Fields = {}): Promise<{ readonly id: string; readonly secret: string }> {
    const { data, failure } = await call('webhooks.create', { url: running.receiver.url, ...fields })
    if (!data) throw new Error(`Cannot create the webhook: ${JSON.stringify(failure)}`)
    return data as { id: string; secret: string }
  }

  /** Calls an operation with the key of the test. */
  async function call(operation: string, input: Fields) {
    return await createRestCaller({ url: running.stack.url, apiKey: running.key.key })(operation, input)
  }

  async function sign(changes: Partial<Unsigned> = {}): Promise<Hex> {
    return await running.wallet.sign(running.stack.callers.REST, { ...empty, ...changes })
  }

  async function broadcast(): Promise<{ readonly hash: Hex }> {
    const signedTransaction = await sign()
    expect(await call('transaction.broadcast', { signedTransaction })).toMatchObject({ status: 200 })
    return { hash: keccak256(signedTransaction) }
  }

  async function expectTypes(types: readonly string[]): Promise<void> {
    await expect.poll(() => running.receiver.types(), eventually).toEqual(types)
  }

  /** Waits until the deliveries of a webhook, the newest first, match. */
  async function expectDeliveries(id: string, expected: readonly Fields[]): Promise<void> {
    const list = async () => (await call('webhooks.deliveries', { id })).data?.['deliveries']
    await expect.poll(list, eventually).toMatchObject(expected)
  }

  return Object.assign(running, {
    create,
    broadcast,
    expectDeliveries,
    call,
    expectTypes,
    finalizeForAnother,
    sign,
  })
}
