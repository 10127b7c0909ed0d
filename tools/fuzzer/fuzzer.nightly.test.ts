import process from 'node:process'
import { Scope } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { request } from 'undici'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { operations } from '../../test/harness/openApi.ts'
import { createRestCaller } from '../../test/harness/createRestCaller.ts'
import { createTrpcCaller } from '../../test/harness/createTrpcCaller.ts'
import { validInputs } from '../../test/harness/validInputs.ts'
import { atLeast } from '../../test/maths/atLeast.ts'
import { createAdminClient } from '../../test/harness/createAdminClient.ts'
import { randomSeed } from '../../test/harness/randomSeed.ts'
import { adminKey, apiKey } from '../../test/harness/settingsFor.ts'
import { setUp } from '../../test/harness/setUp.ts'
import { startAgio } from '../../test/harness/startAgio.ts'
import type { Target } from '../../test/harness/Target.ts'
import { createValidCalls } from './createValidCalls.ts'
import type { Headers } from './FuzzRequest.ts'
import { runFuzz } from './runFuzz.ts'
import { eventually, longTests } from '../../test/harness/timeLimits.ts'

const seed = randomSeed('requests')

/** How many requests of each kind are sent to Node, and to Deno. */
const countsByKind = {
  json: [6500, 800],
  large: [1000, 300],
  bytes: [1500, 200],
  media: [1500, 200],
  headers: [2000, 300],
  method: [1000, 150],
  path: [2000, 300],
  query: [1500, 200],
  batch: [1500, 200],
  unauthenticated: [300, 200],
  wire: [700, 150],
} as const

function countsOn(runtime: 'Node' | 'Deno'): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(countsByKind).map(([kind, [many, few]]) => [kind, runtime === 'Node' ? many : few]),
  )
}

const keys: Headers = [
  ['x-api-key', apiKey],
  ['x-admin-key', adminKey],
  // Its own address, which does not share a limit with unauthenticated requests.
  ['x-forwarded-for', '203.0.113.1'],
]
// How many requests exceed a limit depends on how long they take.
// Most with 422 are of the three operations whose valid call is refused, out of all operations.
const leastOfMany = { 200: 1000, 207: 10, 400: 5000, 401: 200, 404: 1000, 405: 300, 413: 100, 415: 300, 422: 50 }
const leastOfFew = { 200: 100, 400: 500, 401: 50, 404: 100, 405: 30, 413: 10, 415: 30 }

// It has no balance.
const account = privateKeyToAccount(`0x${(seed + 1).toString(16).padStart(64, '9')}`)

/** A signed transaction of an account without a balance. */
function sign({ chainId, deployment }: LocalChain): Promise<string> {
  const fees = { gas: 100_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0n }
  return account.signTransaction({ type: 'eip1559', chainId, to: deployment.router, nonce: 0, ...fees })
}

/** A quote, and its signed transaction of an account without a balance. */
async function signQuote(url: string, chain: LocalChain) {
  const call = createRestCaller({ url, apiKey })
  const { userAddress: _, ...input } = validInputs(chain)['convert.quote']
  const { quote } = (await call('convert.quote', { ...input, validForSeconds: 600 })).data as { quote: string }
  const { data } = await call('transaction.buildConvert', { quote, userAddress: account.address })
  const { transaction } = data as { transaction: Record<'to' | 'data' | 'gas' | 'maxFeePerGas', Hex> }
  const { to, data: calldata, gas, maxFeePerGas } = transaction
  const fees = { gas: BigInt(gas), maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: 0n }
  const { chainId } = chain
  const unsigned = { type: 'eip1559', chainId, to, data: calldata, nonce: 0, ...fees } as const
  return { quote, userAddress: account.address, signedTransaction: await account.signTransaction(unsigned) }
}

/** The valid calls of a service, with keys that no other test uses. */
async function prepareCalls({ url, chain }: { readonly url: string; readonly chain: LocalChain }) {
  const { issue, update } = createAdminClient(url)
  const [rotated, revoked] = [await issue(), await issue()]
  // A random overlap would end the key of all requests.
  const { data } = await createRestCaller({ url, apiKey })('keys.self', {})
  await update(String(data?.['id']), { scopes: Scope.names.filter((scope) => scope !== 'rotate') })
  return createValidCalls(chain, {
    signed: await sign(chain),
    quoted: await signQuote(url, chain),
    keyIds: { rotated: rotated.id, revoked: revoked.id },
  })
}

// The sent values are unknown to the chain, have no balance, or are not tokens.
const refusals: Readonly<Record<string, string>> = {
  'transaction.status': '404',
  'transaction.buildReplace': '404',
  'convert.receipt': '404',
  'transaction.broadcast': '422',
  'transaction.broadcastConvert': '422',
  'swap.execute': '422',
  'keys.rotate': '403',
  'admin.backups.create': '400',
  'admin.quotes.pause': '400',
  'webhooks.delete': '404',
  'webhooks.rotate': '404',
  'webhooks.deliveries': '404',
  'webhooks.replay': '404',
  'webhooks.test': '404',
}

/** Asserts that each procedure of openapi.json has one outcome, over REST and by every link. */
function expectSameOutcomes(outcomes: Awaited<ReturnType<typeof runFuzz>>['outcomes']): void {
  // A stream does not end: test/streams/streams.test.ts sends its random topics. A revocation would end the quotes of other calls.
  const omitted = new Set(['stream.watch', 'admin.quotes.revokeSecrets'])
  const procedures = operations.flatMap(({ procedure = 'stream.watch' }) => procedure)
  const called = new Set(procedures.filter((procedure) => !omitted.has(procedure)))
  expect(Object.keys(outcomes).toSorted()).toEqual([...called].toSorted())
  const statuses = Object.entries(outcomes).map(([operation, counts]) => [operation, Object.keys(counts)])
  expect(statuses).toEqual(Object.keys(outcomes).map((operation) => [operation, [refusals[operation] ?? '200']]))
}

async function expectServing(target: { readonly url: string }, chain: LocalChain): Promise<void> {
  const input = validInputs(chain)['convert.preview']
  for (const createCaller of [createRestCaller, createTrpcCaller]) {
    const outcome = await createCaller({ ...target, apiKey })('convert.preview', input)
    expect(outcome).toMatchObject({ status: 200, data: { amountIn: '1000', amountOut: '650.874400' } })
  }
}

/** The metrics of responses with status 500, by operation. */
async function listFailures(url: string): Promise<readonly string[]> {
  const { body } = await request(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  return (await body.text()).split('\n').filter((line) => /^agio_requests_total.*status="500"/.test(line))
}

/** Sends valid and random requests, and asserts what each response and the service afterwards promise. */
async function fuzz(
  target: Pick<Target, 'url' | 'chains'>,
  runtime: 'Node' | 'Deno',
  least: Readonly<Record<number, number>>,
) {
  const { url, chains } = target
  const counts = countsOn(runtime)
  const before = await listFailures(url)
  const validCalls = await prepareCalls({ url, chain: chains[84532] })
  const secrets = [apiKey, adminKey, ...Object.values(chains).map(({ rpcUrl }) => new URL(rpcUrl).host)]
  const { sent, statuses, outcomes, violations } = await runFuzz({ url, validCalls, keys, seed, counts, secrets })
  expect(violations.slice(0, 10), `seed ${seed}, ${violations.length} in all`).toEqual([])
  expect(sent).toMatchObject({ ...counts, valid: validCalls.length })
  expectSameOutcomes(outcomes)
  expect(statuses).toMatchObject(atLeast(least))
  expect(await listFailures(url)).toEqual(before)
  await expectServing({ url }, chains[84532])
}

describe('random requests', () => {
  const timeout = longTests.randomRequests
  const unhandled: unknown[] = []
  const record = (error: unknown) => void unhandled.push(error)
  const stack = setUp(() => startAgio({ broadcastWaitMs: 100, clientTimeoutMs: eventually.timeout, ownDatabase: true }))
  beforeAll(() => void process.on('unhandledRejection', record).on('uncaughtException', record))
  afterAll(() => void process.off('unhandledRejection', record).off('uncaughtException', record))

  it(
    'each of 20,000 random requests on Node gets a documented response, and the service keeps serving',
    { timeout },
    async () => {
      const before = Reflect.ownKeys(Object.prototype)
      const { url, localnet } = stack
      await fuzz({ url, chains: localnet.chains }, 'Node', leastOfMany)
      expect(unhandled).toEqual([])
      expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
    },
  )

  // The service on Deno runs in the nightly run.
  it.each(inject('runtimes').filter(({ name }) => name === 'Deno'))(
    'each of 3,000 random requests on Deno gets a documented response, and the service keeps serving',
    { timeout },
    async (target) => fuzz(target, 'Deno', leastOfFew),
  )
})
