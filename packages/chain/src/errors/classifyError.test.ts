import { HttpRequestError, LimitExceededRpcError, RpcRequestError, SocketClosedError, TimeoutError } from 'viem'
import { describe, expect, it } from 'vitest'
import { classifyError } from './classifyError.ts'

const [url, body] = ['http://node.example/key', { method: 'eth_call' }]

const rpcError = (code: number, message: string, data?: unknown) =>
  new RpcRequestError({ body, error: { code, message, data }, url })

describe('classifyError: an error about the call, which is not retried on another node', () => {
  it.each([
    ['a revert', rpcError(3, 'execution reverted: no')],
    ['a revert by only its message', rpcError(-32000, 'execution reverted')],
    ['a revert in the words of Parity', rpcError(-32603, 'VM execution error.', 'Reverted 0x12345678')],
    ['a revert by only its data', rpcError(-32603, 'VM error', '0x12345678')],
    ['a failed execution', rpcError(-32015, 'VM execution error')],
    ['too little gas', rpcError(-32000, 'gas required exceeds allowance (21000)')],
    ['too little balance', rpcError(-32000, 'insufficient funds for gas * price + value')],
  ])('%s is a call error of a method that executes, and a fault in response to any other method', (_, error) => {
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction']) {
      expect(classifyError(error, method)).toMatchObject({ isCallError: true, isFault: false, isTransient: false })
    }
    for (const method of ['eth_chainId', 'eth_getBlockByNumber', 'eth_feeHistory', 'eth_getBalance']) {
      expect(classifyError(error, method)).toMatchObject({ isCallError: false, isFault: true })
    }
  })
})

describe('classifyError: an error of a healthy node, which another node may not return', () => {
  it.each([
    ['a missing method', rpcError(-32601, 'the method does not exist')],
    ['an invalid parameter', rpcError(-32602, 'invalid argument 0: hex string without 0x prefix')],
  ])('%s is neither a call error nor a fault', (_, error) => {
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_getBlockByNumber']) {
      expect(classifyError(error, method)).toMatchObject({ isCallError: false, isFault: false, isTransient: false })
    }
  })
})

describe('classifyError: an error that the same node may not return a moment later', () => {
  it.each([
    ['a missing block', rpcError(-32000, 'header not found')],
    ['a missing block, by another code', rpcError(-32602, 'unknown block')],
    ['a missing state', rpcError(-32000, 'missing trie node 1234')],
    ['an unknown error', rpcError(-32000, 'backend failed')],
    ['an unknown rejection', rpcError(-32003, 'transaction rejected')],
  ])('%s is transient, and neither a call error nor a fault', (_, error) => {
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_getBlockByNumber']) {
      expect(classifyError(error, method)).toMatchObject({ isCallError: false, isFault: false, isTransient: true })
    }
  })
})

describe('classifyError: what a node lacks', () => {
  it.each([
    ['a missing block', rpcError(-32000, 'header not found'), true],
    ['a missing state', rpcError(-32000, 'missing trie node 1234: state is not available'), true],
    ['a rejected state override', rpcError(-32602, 'invalid argument 2: state overrides are not supported'), false],
    ['a missing method', rpcError(-32601, 'the method does not exist'), false],
    ['a revert', rpcError(3, 'execution reverted'), false],
  ])('%s is an answer of the node', (_, error, lacksState) => {
    expect(classifyError(error, 'eth_call')).toMatchObject({ isAnswer: true, lacksState })
  })
})

describe('classifyError: a fault of the node', () => {
  it.each([
    ['a rate limit', new LimitExceededRpcError(rpcError(-32005, 'limit exceeded'))],
    ['status 503', new HttpRequestError({ url, status: 503 })],
    ['an unreachable node', new HttpRequestError({ url, cause: new TypeError('fetch failed') })],
    ['a closed socket', new SocketClosedError({ url })],
    ['a response that is not JSON', new SyntaxError('Unexpected token')],
    ['an internal error', rpcError(-32603, 'internal error')],
  ])('%s is a transient fault', (_, error) => {
    const errorClass = classifyError(error, 'eth_getBlockByNumber')
    expect(errorClass).toMatchObject({
      isCallError: false,
      isFault: true,
      isTimeout: false,
      isTransient: true,
    })
  })

  it('a time-out is a fault that is not transient', () => {
    const errorClass = classifyError(new TimeoutError({ body, url }), 'eth_call')
    expect(errorClass).toMatchObject({
      isAnswer: false,
      isCallError: false,
      isFault: true,
      isTimeout: true,
      isTransient: false,
    })
  })

  it('an internal error to an executed call is transient, and no fault: the caller may have caused it', () => {
    const errorClass = classifyError(rpcError(-32603, 'internal error'), 'eth_call')
    expect(errorClass).toMatchObject({ isCallError: false, isFault: false, isTransient: true })
  })
})
