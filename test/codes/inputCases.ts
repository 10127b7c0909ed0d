import { callBoth, sendBoth } from './callBoth.ts'
import type { Cases } from './Case.ts'

/** The codes of requests that are rejected before any read. */
export const inputCases = {
  'svc/invalid-request': ({ local, inputs }) =>
    callBoth(local.url, ['convert.preview', { ...inputs['convert.preview'], amountIn: '-1' }]),
  'svc/invalid-address': ({ local, inputs }) =>
    callBoth(local.url, ['approval.check', { ...inputs['approval.check'], ownerAddress: '0x12' }]),
  'svc/unsupported-chain': ({ local }) => callBoth(local.url, ['pools.list', { chainId: 1 }]),
  'svc/unsupported-token': ({ local, chain, inputs }) =>
    callBoth(local.url, ['approval.build', { ...inputs['approval.build'], tokenAddress: chain.deployment.router }]),
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
