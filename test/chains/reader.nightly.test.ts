import { readerAbi } from '@agio/chain/abi'
import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  toFunctionSelector,
  type AbiFunction,
  type Hex,
} from 'viem'
import { expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { deployReaders } from '../convert/startNodeKinds.ts'
import { rejectOverrides } from '../harness/overrides.ts'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { eventually } from '../harness/timeLimits.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { startProxy, type Answer } from '../harness/startProxy.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { setUp } from '../harness/setUp.ts'

let deploymentsDir: string
const stack = setUp(() =>
  startProxiedStack({
    prepare: async (localnet, proxies) => {
      proxies[84532].setAnswer(rejectOverrides(localnet.chains[84532].rpcUrl))
      deploymentsDir = await deployReaders(localnet)
      return { deploymentsDir }
    },
  }),
)

it('with a deployed reader, every operation works on a node that rejects state overrides', async () => {
  const inputs = validInputs(stack.localnet.chains[84532])
  for (const [operation, input] of Object.entries(inputs)) {
    expect(await stack.callers.REST(operation, input), operation).toMatchObject({ status: 200 })
  }
})

it('a conversion that a node without state overrides cannot estimate is built with an upper bound as its gas limit', async () => {
  const input = validInputs(stack.localnet.chains[84532])['transaction.buildConvert']
  const built = await stack.callers.REST('transaction.buildConvert', input)
  expect(built.data).toMatchObject({
    gasEstimateSource: 'upper-bound',
    issues: [{ code: 'svc/insufficient-allowance' }, {}],
  })
})

it('with a deployed reader of an older version, every operation works without the number of a read block, and the log warns once', async () => {
  const { localnet } = stack
  const chain = localnet.chains[84532]
  await using older = await startProxy(chain.rpcUrl)
  older.setAnswer(withoutProofs(chain.rpcUrl))
  const rpcUrls = { 84532: [older.url] }
  await using server = await startServerProcess(
    settingsFor(localnet, { deploymentsDir, rpcUrls, logLevel: 'warn' }),
    'Node',
  )
  const call = createRestCaller({ url: server.url, apiKey })
  for (const [operation, input] of Object.entries(validInputs(chain))) {
    expect(await call(operation, input), operation).toMatchObject({ status: 200 })
  }
  const { data } = await call('approval.check', validInputs(chain)['approval.check'])
  expect(data).toMatchObject({ blockTimestamp: expect.any(String) })
  expect(data).not.toHaveProperty('blockNumber')
  const listWarnings = () => server.lines.filter((line) => line.includes('the deployed reader is an older version'))
  await expect.poll(listWarnings, eventually).toHaveLength(1)
})

/** Answers as a node whose deployed reader has no proof of its chain and no block number, as older versions did. */
function withoutProofs(rpcUrl: string): Answer {
  return answerEachCall(rpcUrl, async (call, callNode) => {
    const reply = await callNode(call)
    const [{ data } = {}, , overrides] = (call.params ?? []) as readonly { readonly data?: Hex }[]
    if (call.method !== 'eth_call' || overrides || !data || !isReaderCall(data)) return reply
    return { ...reply, result: removeProof(data, reply.result as Hex) }
  })
}

function isReaderCall(data: Hex): boolean {
  return readerAbi.some((item) => data.startsWith(toFunctionSelector(item)))
}

function removeProof(data: Hex, result: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi: readerAbi, data })
  const decoded: unknown = decodeFunctionResult({ abi: readerAbi, functionName, data: result })
  const [, timestamp, items] = decoded as readonly [unknown, bigint, readonly unknown[]]
  const { outputs } = getAbiItem({ abi: readerAbi, name: functionName }) as AbiFunction
  const calls = args as readonly [readonly { readonly data?: Hex }[]]
  const answered = items.map((item, at) => (calls[0][at]?.data === blockNumber ? { success: false, data: '0x' } : item))
  return encodeAbiParameters(outputs.slice(1), [timestamp, answered])
}

const blockNumber = encodeFunctionData({ abi: readerAbi, functionName: 'blockNumber' })
