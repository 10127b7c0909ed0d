import { randomBytes } from 'node:crypto'
import { errorCatalogue, errorCodes, type ErrorCode } from '@agio/core'
import { expect, it, onTestFinished } from 'vitest'
import { findLeak } from './findLeak.ts'
import { describeWith } from '../harness/findServices.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { setUp } from '../harness/setUp.ts'
import { adminKey, apiKey, operatorKeys } from '../harness/settingsFor.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { callBoth, sendBoth, type Case, type Cases, type FailedCall } from './callBoth.ts'
import { requestCases } from './requestCases.ts'
import { startCodesStack, type CodesStack } from './startCodesStack.ts'
import { transactionCases } from './transactionCases.ts'

const described = await describeWith(['PostgreSQL binaries', 'Redis binary'], 'that each code comes over the wire')

const roomy = { requests: 1000, windowSeconds: 3600, burstPerSecond: 1000, monthlyQuota: 1000 }
const listPools = ['pools.list', {}] as const

/** Calls with a new key that has restrictions. */
const withKey =
  (restrictions: object): Case =>
  async ({ served }) => {
    const { key } = await createAdminClient(served.url).issueWith(restrictions)
    return await callBoth(served.url, listPools, key)
  }

/** Calls with a new key whose limits admit one call, which was made. */
const afterOneCall =
  (limits: Partial<typeof roomy>): Case =>
  async ({ served }) => {
    const { key } = await createAdminClient(served.url).issue({ ...roomy, ...limits })
    await fetch(`${served.url}/api/v1/pools`, { headers: { 'x-api-key': key } })
    return await callBoth(served.url, listPools, key)
  }

/** The codes of keys and limits, and of an unavailable or damaged database. */
const keyCases = {
  'svc/unauthorized': ({ served }) => callBoth(served.url, listPools, 'an-unknown-key'),
  async 'svc/key-revoked'({ served }) {
    const { id, key } = await createAdminClient(served.url).issue()
    await createAdminClient(served.url).revoke(id)
    return await callBoth(served.url, listPools, key)
  },
  async 'svc/forbidden-role'({ served }) {
    const headers = { 'x-admin-key': operatorKeys.read, 'content-type': 'application/json' }
    const rotate = { method: 'POST', headers, body: '{}' }
    const rest = { ...rotate, path: '/api/v1/admin/quotes/rotate-secret', operation: 'admin.quotes.rotateSecret' }
    return await sendBoth(served.url, rest, { ...rotate, path: '/trpc/admin.quotes.rotateSecret' })
  },
  async 'svc/key-expired'({ served }) {
    const { id, key } = await createAdminClient(served.url).issueWith({})
    // The service refuses a time in the past.
    await served.database.query(`update api_keys set expires_at = now() where id = '${id}'`)
    return await callBoth(served.url, listPools, key)
  },
  'svc/address-forbidden': withKey({ allowedCidrs: ['192.0.2.0/24'] }),
  'svc/origin-forbidden': withKey({ allowedOrigins: ['https://shop.example'] }),
  'svc/forbidden-scope': withKey({ scopes: ['usage'] }),
  'svc/rate-limited': afterOneCall({ requests: 1 }),
  'svc/quota-exceeded': afterOneCall({ monthlyQuota: 1 }),
  async 'svc/storage-unavailable'({ served }) {
    await served.toDatabase.cut()
    onTestFinished(served.toDatabase.restore)
    return await callBoth(served.url, listPools, 'a-key-to-look-up')
  },
  /** An unforeseen mistake of an operator: a renamed table. */
  async 'svc/internal'({ served }) {
    await served.database.query('alter table api_secrets rename to api_secrets_moved')
    onTestFinished(
      async () => void (await served.database.query('alter table api_secrets_moved rename to api_secrets')),
    )
    return await callBoth(served.url, listPools, 'another-key-to-look-up')
  },
} as const satisfies Cases

const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Pauses or resumes the quotes of a pair. */
async function change(name: 'pause' | 'resume', { local, chain }: CodesStack): Promise<void> {
  const { tAUD: tokenA, tEUR: tokenB } = chain.tokens
  const headers = { 'x-admin-key': adminKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ chainId: chain.chainId, tokenA, tokenB })
  const response = await fetch(`${local.url}/api/v1/admin/quotes/${name}`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

/** The codes of quotes, and of the signatures that pay them. */
const quoteCases = {
  'svc/quote-invalid': ({ local }) =>
    callBoth(local.url, ['transaction.buildConvert', { quote: 'a.b.c', userAddress }]),
  async 'svc/quote-expired'(stack) {
    const { client } = connectOwner(stack.chain)
    const { quote, expiresAt } = await requestQuote(stack)
    await client.setNextBlockTimestamp({ timestamp: BigInt(Date.parse(expiresAt)) / 1000n })
    await client.mine({ blocks: 1 })
    // The other service quotes next, and would do so at a time that has passed.
    for (const { url } of [stack.local, stack.served]) await waitForBlock(url, stack.chain)
    return await callBoth(stack.local.url, ['transaction.buildConvert', { quote, userAddress }])
  },
  async 'svc/quote-mismatch'(stack) {
    const { quote } = await requestQuote(stack)
    return await callBoth(stack.local.url, ['transaction.buildConvert', { chainId: 421614, quote, userAddress }])
  },
  async 'svc/quote-not-yours'({ served, inputs }) {
    const [owner, other] = [
      await createAdminClient(served.url).issue(),
      await createAdminClient(served.url).issue(),
    ] as const
    const call = createRestCaller({ url: served.url, apiKey: owner.key })
    const { data } = await call('convert.quote', inputs['convert.quote'])
    return await callBoth(served.url, ['transaction.buildConvert', { quote: data?.['quote'], userAddress }], other.key)
  },
  async 'svc/quoting-paused'(stack) {
    const { local, chain, inputs } = stack
    await change('pause', stack)
    onTestFinished(() => change('resume', stack))
    const pair = { poolAddress: undefined, tokenIn: chain.tokens['tEUR'], tokenOut: chain.tokens['tAUD'] }
    return await callBoth(local.url, ['convert.quote', { ...inputs['convert.quote'], ...pair }])
  },
  async 'svc/invalid-permit'(stack) {
    const { quote, expiresAt } = await requestQuote(stack)
    const deadline = Date.parse(expiresAt) / 1000
    const permit = { kind: 'permit', deadline, signature: `0x${'5a'.repeat(64)}1b` }
    return await callBoth(stack.local.url, ['transaction.buildConvert', { quote, userAddress, permit }])
  },
  'svc/recipient-unsupported': ({ local, inputs, family }) =>
    callBoth(local.url, ['convert.quote', { ...inputs['convert.quote'], poolAddress: undefined, ...family }]),
} as const satisfies Cases

async function requestQuote({ local, inputs }: CodesStack) {
  const { data } = await local.callers.REST('convert.quote', { ...inputs['convert.quote'], validForSeconds: 600 })
  return data as { readonly quote: string; readonly expiresAt: string }
}

const webhook = { url: 'https://shop.example/webhooks' }

/** The creation of a webhook with an idempotency key, by a new key. */
async function prepareCreation(url: string) {
  const { key } = await createAdminClient(url).issue(roomy)
  const idempotencyKey = randomBytes(16).toString('hex')
  const headers = { 'x-api-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' }
  const toRequest = (input: object) => ({ method: 'POST', headers, body: JSON.stringify(input) })
  return {
    create: () => fetch(`${url}/api/v1/webhooks`, toRequest(webhook)),
    /** Sends another over REST and tRPC. */
    async createBoth(input: object) {
      const rest = { ...toRequest(input), path: '/api/v1/webhooks', operation: 'webhooks.create' }
      return await sendBoth(url, rest, { ...toRequest(input), path: '/trpc/webhooks.create' })
    },
  }
}

/** The codes of webhooks, and of the idempotency keys of their creation. */
const webhookCases = {
  async 'svc/webhook-not-found'({ served: { url } }) {
    const { key } = await createAdminClient(url).issue(roomy)
    return await callBoth(url, ['webhooks.deliveries', { id: 'wh_unknown' }], key)
  },
  async 'svc/webhook-limit'({ served: { url } }) {
    const { key } = await createAdminClient(url).issue(roomy)
    const call = createRestCaller({ url, apiKey: key })
    for (let count = 0; count < 10; count += 1) await call('webhooks.create', webhook)
    return await callBoth(url, ['webhooks.create', webhook], key)
  },
  /** The database holds back the response of the first creation. */
  async 'svc/idempotency-key-in-use'({ served: { url, toDatabase } }) {
    const { create, createBoth } = await prepareCreation(url)
    const kept = toDatabase.keepAnswer('insert into "webhooks"')
    const first = create()
    const answer = await kept
    const refused = await createBoth(webhook)
    answer.pass()
    await first
    return refused
  },
  async 'svc/idempotency-key-reused'({ served: { url } }) {
    const { create, createBoth } = await prepareCreation(url)
    await create()
    return await createBoth({ url: 'https://shop.example/others' })
  },
} as const satisfies Cases

/** The case that provokes each code of the catalogue. A code without a case is a type error. */
const cases: Readonly<Record<ErrorCode, Case>> = {
  ...requestCases,
  ...transactionCases,
  ...keyCases,
  ...quoteCases,
  ...webhookCases,
}

described('an error on the wire', () => {
  const stack = setUp(startCodesStack)

  it.each(errorCodes)('the error %s has the status and fields of the catalogue over REST and tRPC', async (code) => {
    const { REST, tRPC } = await cases[code](stack)
    expectCatalogued(code, REST)
    expectCatalogued(code, tRPC)
    expect(REST.failure['success']).toBe(false)
    expect(new Set([REST, tRPC].map(({ failure }) => failure['requestId'])).size, 'each has its own id').toBe(2)
  })

  it('an error has a type that links to its section of /docs/errors', async () => {
    const page = await (await fetch(`${stack.local.url}/docs/errors`)).text()
    for (const code of errorCodes) expect(page).toContain(`id="${anchorOf(code)}"`)
  })
})

function expectCatalogued(code: ErrorCode, { status, failure }: FailedCall): void {
  const { details, retryable, action, ...entry } = errorCatalogue[code]
  const type = `/docs/errors#${anchorOf(code)}`
  const common = { requestId: expect.stringMatching(/^[\w.:-]{1,128}$/), retryable, action }
  const error = expect.stringMatching(new RegExp(`^${code}: Cannot .+[^.]$`))
  expect({ status, failure }).toMatchObject({ status: entry.status, failure: { code, type, error, ...common } })
  const { success: _, code: _code, type: _type, error: _error, requestId: _id, ...rest } = failure
  // A value that is not a scalar is not echoed, and one refused field has no list. Only broadcasts have a hash:
  // test/broadcast/faults.test.ts proves them.
  const optional = new Set<string>(['value', 'transactionHash', 'errors'])
  const shown = details.filter((field) => !optional.has(field) || field in rest)
  expect(Object.keys(rest).toSorted()).toEqual(['action', 'retryable', ...shown].toSorted())
  expect(findLeak(JSON.stringify(failure), [apiKey, adminKey, '127.0.0.1', 'localhost', '://'])).toBeUndefined()
}

function anchorOf(code: ErrorCode): string {
  return code.slice('svc/'.length)
}
