import { expect, it } from 'vitest'
import { checkTrpc } from './checkTrpc.ts'

const headers = { 'x-request-id': 'order-42', 'content-type': 'application/json' }
const refusal = toError(-32_001)

function toError(code: number) {
  const details = { type: '/docs/errors#unauthorized', retryable: false, action: 'fix_input', requestId: 'order-42' }
  const data = { code: 'svc/unauthorized', httpStatus: 401, ...details }
  return { error: { code, message: 'svc/unauthorized: Cannot answer the request', data } }
}

function checkRefusal(body: unknown, accept: readonly (readonly [string, string])[] = []): string | undefined {
  const request = { path: '/trpc/pools.list,pools.list', headers: accept }
  return checkTrpc(request, { status: 401, headers, text: JSON.stringify(body) })
}

/** Checks the stream of a batch of one, without its last lines. */
function checkStream(data: object, missing = 0): string | undefined {
  const chunks = ['[0,0,[[{"result":0}],["result",0,1]]]', '[1,0,[[{"data":0}],["data",0,2]]]']
  const lines = ['{"0":[[0],[null,0,0]]}', ...chunks, `[2,0,[[${JSON.stringify(data)}]]]`]
  const text = lines.slice(0, lines.length - missing).join('\n')
  const vary = 'Origin, trpc-accept'
  return checkTrpc(
    { path: '/trpc/transaction.nonce', headers: [] },
    { status: 200, headers: { ...headers, vary }, text },
  )
}

it('the check of tRPC responses accepts one error for a whole batch, and the outcome of each call of a stream', () => {
  expect(checkRefusal(refusal, [['trpc-accept', 'application/jsonl']])).toBeUndefined()
  expect(checkRefusal([refusal, refusal])).toBeUndefined()
  expect(checkStream({ nonce: 1, latest: 1 })).toBeUndefined()
})

it('the check of tRPC responses finds an array where a link reads one error, and a missing outcome', () => {
  expect(checkRefusal([refusal, refusal], [['trpc-accept', 'application/jsonl']])).toBe('it is an array')
  expect(checkRefusal([refusal])).toBe('it has 1 outcomes')
  expect(checkStream({ nonce: 1, latest: 1 }, 1)).toContain('Cannot parse the stream')
})

it('the check of tRPC responses finds a JSON-RPC code of another status, and an undocumented result', () => {
  expect(checkRefusal(toError(-32_603))).toBe('its JSON-RPC code is -32603')
  expect(checkStream({ nonce: 'one', latest: 1 })).toContain('transaction.nonce 200 is as documented')
})
