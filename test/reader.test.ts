import { afterAll, beforeAll, expect, it } from 'vitest'
import { validInputs } from './contract/validInputs.ts'
import { deployReaders } from './preflight/startNodeKinds.ts'
import { rejectOverrides } from './preflight/overrides.ts'
import { startProxy, type Proxy } from './stack/startProxy.ts'
import { startStack, type Stack } from './stack/startStack.ts'

let proxy: Proxy
let stack: Stack
beforeAll(async () => {
  stack = await startStack(async (localnet) => {
    const { chains } = localnet
    proxy = await startProxy(chains[84532].rpcUrl)
    proxy.setAnswer(rejectOverrides(chains[84532].rpcUrl))
    return {
      deploymentsDir: await deployReaders(localnet),
      rpcUrls: { 84532: [proxy.url], 421614: [chains[421614].rpcUrl] },
    }
  })
})
afterAll(async () => {
  await stack[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

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
