import { onTestFinished } from 'vitest'
import { sendRaw } from '../edge/sendRaw.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { openStream } from '../streams/openStream.ts'
import { callBoth, sendBoth, toFailures, type Case, type Cases } from './callBoth.ts'
import type { CodesStack } from './startCodesStack.ts'

type Change = Readonly<Record<string, unknown>>

/** Calls an operation of the local service with changed fields of its valid input. */
export const provoke =
  (operation: keyof CodesStack['inputs'], change: Change | ((stack: CodesStack) => Change) = {}): Case =>
  async (stack) => {
    const changed = typeof change === 'function' ? change(stack) : change
    return await callBoth(stack.local.url, [operation, { ...stack.inputs[operation], ...changed }])
  }

/** Injects a fault before a case. */
export const under =
  (fault: Parameters<CodesStack['injectFault']>, next: Case): Case =>
  async (stack) => {
    await stack.injectFault(...fault)
    return await next(stack)
  }

const preview = (change?: Parameters<typeof provoke>[1]) => provoke('convert.preview', change)
const build = (change?: Change) => provoke('transaction.buildConvert', change)

/** The codes of requests that are refused before any read. */
const inputCases = {
  'svc/invalid-request': preview({ amountIn: '-1' }),
  'svc/invalid-address': provoke('approval.check', { ownerAddress: '0x12' }),
  'svc/unsupported-chain': provoke('pools.list', { chainId: 1 }),
  'svc/unsupported-token': provoke('approval.build', ({ chain }) => ({ tokenAddress: chain.deployment.router })),
  'svc/not-found': ({ local }) => sendBoth(local.url, { path: '/api/v1/nowhere' }, { path: '/trpc/nothing.at.all' }),
  'svc/payload-too-large': ({ local }) =>
    callBoth(local.url, ['transaction.broadcast', { signedTransaction: `0x02${'00'.repeat(60_000)}` }]),
  'svc/unsupported-media-type': ({ local }) => {
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }
    const rest = { ...text, path: '/api/v1/transaction/broadcast', operation: 'transaction.broadcast' }
    return sendBoth(local.url, rest, { ...text, path: '/trpc/transaction.broadcast' })
  },
  'svc/method-not-allowed': ({ local }) =>
    sendBoth(local.url, { method: 'PUT', path: '/api/v1/pools' }, { method: 'PUT', path: '/trpc/pools.list' }),
} as const satisfies Cases

/** Sends a request line and headers over REST and to `/trpc`; `text` is what follows the path. */
async function sendRaws(url: string, method: 'GET' | 'POST', text: string) {
  return toFailures(
    await Promise.all([
      sendRaw(url, `${method} /api/v1/transaction/broadcast${text}`),
      sendRaw(url, `${method} /trpc/transaction.broadcast${text}`),
    ]),
  )
}

const head = ` HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`

/** The codes of requests that cannot be read whole. */
const unreadCases = {
  async 'svc/request-timeout'({ localnet }) {
    // A service of its own: on a machine that stands still, every request may take as long.
    const { url, stop } = await startTestServer(localnet, { clientTimeoutMs: 1000 })
    onTestFinished(stop)
    return await sendRaws(url, 'POST', `${head}Content-Length: 100\r\n\r\n{"half`)
  },
  'svc/expectation-failed': ({ local }) => sendRaws(local.url, 'GET', `${head}Expect: more\r\n\r\n`),
  'svc/headers-too-large': ({ local }) =>
    sendRaws(local.url, 'GET', `?input=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
} as const satisfies Cases

/** The codes of pools and routes. */
const conversionCases = {
  'svc/stale-price': under(['stale-price'], under(['market-closed', { symbol: 'tAUD' }], preview())),
  'svc/reference-depegged': under(['depeg'], preview()),
  'svc/above-max-origin': preview({ amountIn: '900000000' }),
  'svc/no-convergence': preview(({ curved }) => ({
    poolAddress: curved.pool,
    tokenIn: curved.base,
    tokenOut: curved.quote,
    amountIn: '900000',
  })),
  'svc/below-min-target': under(['price-move', { symbol: 'tAUD', percent: -1 }], build()),
  'svc/no-route': preview(({ isolated }) => ({ poolAddress: undefined, tokenOut: isolated.quote })),
  'svc/pool-frozen': under(['pool-frozen'], preview()),
  'svc/deadline-passed': build({ deadline: 1_700_000_000 }),
  'svc/amount-too-small': preview(({ chain: { tokens } }) => ({
    tokenIn: tokens['tUSD'],
    tokenOut: tokens['tAUD'],
    amountIn: '0.000001',
  })),
  'svc/pool-not-found': provoke('pools.get', ({ chain }) => ({ poolAddress: chain.deployment.router })),
} as const satisfies Cases

/** The codes of faulty nodes, and the code of a process with its maximum number of streams. */
const serviceCases = {
  'svc/upstream-error': under(['rpc-garbage'], provoke('approval.check')),
  'svc/upstream-unavailable': under(['rpc-down'], provoke('approval.check')),
  'svc/upstream-timeout': under(['rpc-slow', { ms: 60_000 }], provoke('approval.check')),
  async 'svc/streams-full'({ local: { url } }) {
    const topics = [{ topic: 'health' }]
    const stream = await openStream(url, { topics, apiKey })
    onTestFinished(stream.close)
    const encode = (input: unknown) => encodeURIComponent(JSON.stringify(input))
    const rest = { path: `/api/v1/stream?topics=${encode(topics)}`, operation: 'stream.watch' }
    return await sendBoth(url, rest, { path: `/trpc/stream.watch?input=${encode({ topics })}` })
  },
} as const satisfies Cases

/** The codes of single requests, and of the faults of a local stack. */
export const requestCases = { ...inputCases, ...unreadCases, ...conversionCases, ...serviceCases } as const
