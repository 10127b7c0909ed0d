import { describe, expect, it, onTestFinished } from 'vitest'
import type { NodeCall, NodeReply } from '../harness/answerEachCall.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { validInputs } from '../harness/validInputs.ts'
import { useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()

/** Starts a service over some nodes until the test ends, and returns its builds of a conversion and its approval. */
async function serve(urls: readonly string[]) {
  const server = await startTestServer(upstreams.localnet, { rpcUrls: { 84532: urls } })
  onTestFinished(() => server.stop())
  const call = createRestCaller({ url: server.url, apiKey })
  return async () => {
    // The gas of calldata depends on its zero bytes, and the default deadline on the second of the request.
    const input = { ...validInputs(upstreams.chain)['transaction.buildConvert'], deadline: 4_000_000_000 }
    const { status, data } = await call('transaction.buildConvert', input)
    const { gasLimit, gasEstimateSource } = data ?? {}
    return { status, gasLimit, gasEstimateSource }
  }
}

const isEstimate = ({ method, params = [] }: NodeCall) =>
  method === 'eth_estimateGas' || (method === 'eth_call' && JSON.stringify(params).includes('stateDiff'))

/** Makes the first node answer each estimate of gas with the same reply. */
function answerEstimates(outcome: Omit<NodeReply, 'id'>): void {
  upstreams.answerCalls(upstreams.first, async (call, callNode) =>
    isEstimate(call) ? { id: call.id, ...outcome } : await callNode(call),
  )
}

const refusal = { error: { code: -32602, message: 'invalid params' } }
const lies = [
  ['refuses their parameters', refusal],
  ['returns 0', { result: '0x0' }],
  ['returns 2^52 - 1', { result: '0xfffffffffffff' }],
] as const

describe.each(lies)('a first node that answers estimates of gas: it %s', (_, lie) => {
  it('builds have the estimates of the next node, then and later', async () => {
    const { first, second } = upstreams
    const build = await serve([first.url, second.url])
    const honest = await build()
    expect(honest).toMatchObject({ status: 200, gasEstimateSource: 'call-as-if' })
    answerEstimates(lie)
    for (let count = 0; count < 2; count += 1) expect(await build()).toEqual(honest)
    first.reset()
    expect(await build()).toEqual(honest)
  })

  it('a build has the upper bound without another node', async () => {
    const build = await serve([upstreams.first.url])
    await build()
    answerEstimates(lie)
    expect(await build()).toEqual({ status: 200, gasLimit: '720000', gasEstimateSource: 'upper-bound' })
  })
})
