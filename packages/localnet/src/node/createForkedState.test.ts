import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createForkedState, RateLimitedError, type RpcResponse, type RpcRequest } from './createForkedState.ts'

const probeIntervalMs = 1000
const balance: RpcRequest = { method: 'eth_getBalance', params: ['0x01', '0x1c'] }
const slot: RpcRequest = { method: 'eth_getStorageAt', params: ['0x01', '0x0', '0x1c'] }
const newest: RpcRequest = { method: 'eth_blockNumber', params: [] }

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('state that does not depend on the block of a fork is read each time', async () => {
  const { state } = start()
  expect(await state.read(newest)).toEqual({ result: 'eth_blockNumber 1' })
  expect(await state.read(newest)).toEqual({ result: 'eth_blockNumber 2' })
  expect(await state.read({ method: 'eth_getBalance', params: ['0x01', 'latest'] })).toEqual({
    result: 'eth_getBalance 3',
  })
  expect(await state.read({ method: 'eth_getBalance', params: ['0x01', 'latest'] })).toEqual({
    result: 'eth_getBalance 4',
  })
})

test('the origin of a fork is probed every second, and read again once a probe is answered', async () => {
  const { node, state } = start()
  node.failure = new Error('timed out')
  await state.read(slot)
  node.requests.length = 0
  await vi.advanceTimersByTimeAsync(3 * probeIntervalMs)
  expect(node.requests.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_chainId', 'eth_chainId'])
  node.failure = undefined
  await vi.advanceTimersByTimeAsync(probeIntervalMs)
  expect(await state.read(slot)).toMatchObject({ result: expect.stringContaining('eth_getStorageAt') })
  node.requests.length = 0
  await vi.advanceTimersByTimeAsync(3 * probeIntervalMs)
  expect(node.requests).toEqual([])
})

test('an error that the origin of a fork returns is passed on, and not kept', async () => {
  const { node, state } = start()
  node.reply = { error: { code: 3, message: 'no' } }
  expect(await state.read(balance)).toEqual(node.reply)
  node.reply = undefined
  expect(await state.read(balance)).toEqual({ result: 'eth_getBalance 2' })
})

test('a node that limits the rate is not probed: the fork retries by itself', async () => {
  const { node, state } = start()
  node.failure = new RateLimitedError()
  await expect(state.read(balance)).rejects.toThrow(RateLimitedError)
  node.failure = undefined
  expect(await state.read(balance)).toEqual({ result: 'eth_getBalance 2' })
})

test('the origin of a fork is not probed after a stop', async () => {
  const { node, state } = start()
  node.failure = new Error('timed out')
  await state.read(slot)
  state.stop()
  node.requests.length = 0
  await vi.advanceTimersByTimeAsync(3 * probeIntervalMs)
  expect(node.requests).toEqual([])
})

/** The state of a fork over a node that numbers its results, and records its requests. */
function start() {
  const node = {
    requests: [] as RpcRequest[],
    sent: 0,
    failure: undefined as Error | undefined,
    reply: undefined as RpcResponse | undefined,
  }
  const state = createForkedState(async (request) => {
    node.requests.push(request)
    node.sent += 1
    if (node.failure) throw node.failure
    return await Promise.resolve(node.reply ?? { result: `${request.method} ${node.sent}` })
  })
  return { node, state }
}
