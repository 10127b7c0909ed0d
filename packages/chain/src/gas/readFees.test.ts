import { createPublicClient, custom, HttpRequestError, TimeoutError } from 'viem'
import { expect, it } from 'vitest'
import { readFees } from './readFees.ts'

function connect(request: () => Promise<unknown>) {
  return { client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }) }
}

it('the fees are twice the next base fee, plus the median tip, which is at least a million wei', async () => {
  const history = { baseFeePerGas: ['0x1', '0x64'], gasUsedRatio: [0], oldestBlock: '0x1' }
  const tips = [['0x3b9aca00'], ['0x1'], ['0x77359400']]
  const fees = await readFees(connect(async () => ({ ...history, reward: tips })))
  expect(fees).toEqual({ maxPriorityFeePerGas: 1_000_000_000n, maxFeePerGas: 1_000_000_200n })
  const ofIdleChain = await readFees(connect(async () => ({ ...history, reward: [['0x0']] })))
  expect(ofIdleChain).toEqual({ maxPriorityFeePerGas: 1_000_000n, maxFeePerGas: 1_000_200n })
})

it.each([
  ['svc/upstream-timeout', new TimeoutError({ body: {}, url: 'http://node.example' })],
  ['svc/upstream-unavailable', new HttpRequestError({ url: 'http://node.example' })],
  ['svc/upstream-error', new Error('broken')],
])('a node that fails is %s', async (code, error) => {
  const reading = readFees(connect(() => Promise.reject(error)))
  await expect(reading).rejects.toMatchObject({ code })
})
