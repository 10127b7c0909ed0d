import { HttpRequestError, LimitExceededRpcError, RpcRequestError, SocketClosedError, TimeoutError } from 'viem'
import { describe, expect, it } from 'vitest'
import { judgeError } from './judgeError.ts'

const [url, body] = ['http://node.example/key', { method: 'eth_call' }]

const answer = (code: number, message: string, data?: unknown) =>
  new RpcRequestError({ body, error: { code, message, data }, url })

describe('about the call, so that no other node is asked', () => {
  it.each([
    ['a revert', answer(3, 'execution reverted: no')],
    ["a revert in geth's other words", answer(-32000, 'execution reverted')],
    ['a revert with its data alone', answer(-32603, 'VM error', '0x12345678')],
    ['a rejected transaction', answer(-32003, 'transaction rejected')],
    ['a failed execution', answer(-32015, 'VM execution error')],
    ['too little gas', answer(-32000, 'gas required exceeds allowance (21000)')],
    ['too little money', answer(-32000, 'insufficient funds for gas * price + value')],
    ['parameters that cannot be', answer(-32602, 'invalid argument 0: hex string without 0x prefix')],
  ])('%s', (_, error) => {
    for (const method of ['eth_call', 'eth_getBalance']) {
      expect(judgeError(error, method)).toMatchObject({ isAboutCall: true, isFault: false, isPassing: false })
    }
  })
})

describe('a matter of this node, which is well', () => {
  it.each([
    ['a block that it lacks', answer(-32000, 'header not found')],
    ['a block that it lacks, by another code', answer(-32602, 'unknown block')],
    ['a state that it lacks', answer(-32000, 'missing trie node 1234')],
    ['a method that it lacks', answer(-32601, 'the method does not exist')],
  ])('%s', (_, error) => {
    expect(judgeError(error, 'eth_call')).toMatchObject({ isAboutCall: false, isFault: false, isPassing: false })
  })
})

describe('a fault of the node', () => {
  it.each([
    ['that limits our rate', new LimitExceededRpcError(answer(-32005, 'limit exceeded'))],
    ['that answers 503', new HttpRequestError({ url, status: 503 })],
    ['that cannot be reached', new HttpRequestError({ url, cause: new TypeError('fetch failed') })],
    ['that closes', new SocketClosedError({ url })],
    ['that answers garbage', new SyntaxError('Unexpected token')],
    ['that has an error of its own', answer(-32603, 'internal error')],
  ])('%s may pass', (_, error) => {
    const judged = judgeError(error, 'eth_getBlockByNumber')
    expect(judged).toEqual({ isAboutCall: false, isFault: true, isTimeout: false, isPassing: true })
  })

  it('that takes too long is not asked the same again', () => {
    const judged = judgeError(new TimeoutError({ body, url }), 'eth_call')
    expect(judged).toEqual({ isAboutCall: false, isFault: true, isTimeout: true, isPassing: false })
  })

  it('is none if what a caller has written may have brought it about', () => {
    const judged = judgeError(answer(-32603, 'internal error'), 'eth_call')
    expect(judged).toMatchObject({ isAboutCall: false, isFault: false, isPassing: true })
  })
})
