import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Localnet } from '@agio/localnet'
import { keccak256, type Hex } from 'viem'
import { afterEach, expect } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { setUp } from '../harness/setUp.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { startReceiver, type Receiver } from '../webhooks/startReceiver.ts'

/** Limits that no test reaches. */
export const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }

/** The hours of tEUR: closed from Friday to Sunday, 17:00 UTC. */
const hours = 'UTC;O,O,O,O,0000-1700,C,1700-2400'

const empty = {
  chainId: 84532,
  to: '0x00000000000000000000000000000000000000a1',
  data: '0x',
  value: '1',
  gasLimit: '21000',
}

/** Starts one stack with its own database for the tests of a file, which enforces quotas and retries webhooks in an hour. */
export function setUpTravel() {
  const stack = setUp(() =>
    startAgio({
      ownDatabase: true,
      phase: 'production',
      finalityBlocks: 2,
      broadcastWaitMs: 1000,
      webhookTargets: 'local',
      webhookRetrySeconds: [3600],
      prepare: addHours,
    }),
  )
  afterEach(() => stack.scenarios.reset())

  const pairOf = (symbol: 'tAUD' | 'tEUR') => {
    const { tokens } = stack.localnet.chains[84532]
    return { chainId: 84532, tokenIn: tokens[symbol], tokenOut: tokens.tUSD, amountIn: '10' }
  }
  /** Creates a key, and returns the functions that call the service with it. */
  async function createKey(limits = roomy) {
    const { id, key: secret } = await createAdminClient(stack.url).issue(limits)
    const call = createRestCaller({ url: stack.url, apiKey: secret })
    const tryPreview = async () => {
      const { status, failure } = await call('convert.preview', pairOf('tAUD'))
      return failure?.code ?? status
    }
    return { id, secret, call, tryPreview }
  }
  async function broadcast(call: AgioStack['callers']['REST']): Promise<Hex> {
    const wallet = await createWallet(stack.localnet.chains[84532])
    const signedTransaction = await wallet.sign(call, empty as Unsigned)
    expect(await call('transaction.broadcast', { signedTransaction })).toMatchObject({ status: 200 })
    return keccak256(signedTransaction)
  }
  const callLocal = (method: string, path: string, body?: object) => callWithAdminKey(method, `local/${path}`, body)
  async function callWithAdminKey(method: string, path: string, body?: object) {
    const headers = { 'x-admin-key': adminKey, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`${stack.url}/${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    })
    const { data, code } = (await response.json()) as { data?: Readonly<Record<string, unknown>>; code?: string }
    return { status: response.status, ...(data && { data }), ...(code !== undefined && { code }) }
  }
  return {
    stack,
    pairOf,
    createKey,
    broadcast,
    /** Calls an endpoint of the local stack with the admin key. */
    callLocal,
    callAdmin: async (path: string, body: object) =>
      expect(await callWithAdminKey('POST', `api/v1/admin/${path}`, body)).toMatchObject({ status: 200 }),
    call: (...args: Parameters<AgioStack['callers']['REST']>) => stack.callers.REST(...args),
    admin: () => createAdminClient(stack.url),
  }
}

/** Starts a receiver, and registers a webhook of a key for it. */
export async function addWebhook(call: AgioStack['callers']['REST']): Promise<Receiver & { readonly id: string }> {
  const receiver = await startReceiver()
  const { data } = await call('webhooks.create', { url: receiver.url })
  return { ...receiver, id: String(data?.['id']) }
}

async function addHours({ deploymentsDir, chains }: Localnet): Promise<void> {
  const path = join(deploymentsDir, '84532.json')
  const deployment = JSON.parse(await readFile(path, 'utf8')) as object
  const feeds = { [chains[84532].oracles.tEUR]: { schedule: hours } }
  await writeFile(path, JSON.stringify({ ...deployment, feeds }))
}
