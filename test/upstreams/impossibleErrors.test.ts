import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { answerEachCall, type NodeCall } from '../harness/answerEachCall.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
const starting = new AsyncDisposableStack()
beforeAll(async () => {
  upstreams = starting.use(await startUpstreams())
})
beforeEach(() => upstreams.reset())
afterAll(() => starting.disposeAsync())

const operations = ['convert.preview', 'convert.quote', 'transaction.buildConvert', 'transaction.nonce'] as const

const revert = { code: 3, message: 'execution reverted' }
const isHead = ({ method }: NodeCall) => method === 'eth_getBlockByNumber'
const isAccountRead = ({ method }: NodeCall) => /feeHistory|getTransactionCount|getBalance/.test(method)
const lies = [
  ['a revert to reads of the newest block', isHead, revert],
  ['revert data to reads of the newest block', isHead, { code: -32000, message: 'x', data: '0x' }],
  [
    'too little funds to reads of fees, nonces and balances',
    isAccountRead,
    { code: -32000, message: 'insufficient funds' },
  ],
  ['a revert to everything that executes nothing', ({ method }: NodeCall) => method !== 'eth_call', revert],
  [
    'invalid parameters to everything but its chain id',
    ({ method }: NodeCall) => method !== 'eth_chainId',
    { code: -32602, message: 'invalid params' },
  ],
] as const

it.each(lies)('every operation succeeds over the next node while the first one answers %s', async (_, isLie, error) => {
  const { localnet, chain, first, second } = upstreams
  // No head stays confirmed: every request needs the nodes.
  const settings = { snapshotMaxAgeMs: 0, rpcUrls: { 84532: [first.url, second.url] } }
  const server = await startTestServer(localnet, settings)
  onTestFinished(() => server.stop())
  const call = createRestCaller({ url: server.url, apiKey })
  const callAll = async () => {
    const outcomes = operations.map(async (operation) => (await call(operation, validInputs(chain)[operation])).status)
    return await Promise.all(outcomes)
  }
  const succeeded = operations.map(() => 200)
  expect(await callAll()).toEqual(succeeded)
  let lied = 0
  first.setAnswer(
    answerEachCall(chain.rpcUrl, async (each, callNode) => {
      if (!isLie(each)) return await callNode(each)
      lied += 1
      return { id: each.id, error }
    }),
  )
  for (let round = 0; round < 3; round += 1) expect(await callAll()).toEqual(succeeded)
  expect(lied).toBeGreaterThan(0)
})
