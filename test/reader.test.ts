import { afterAll, beforeAll, expect, it } from 'vitest'
import { validInputs } from './contract/validInputs.ts'
import { deployReaders } from './preflight/startNodeKinds.ts'
import { rejectOverrides } from './preflight/overrides.ts'
import { startProxiedStack, type ProxiedStack } from './stack/startProxiedStack.ts'

let stack: ProxiedStack
beforeAll(async () => {
  stack = await startProxiedStack(async (localnet, proxies) => {
    proxies[84532].setAnswer(rejectOverrides(localnet.chains[84532].rpcUrl))
    return { deploymentsDir: await deployReaders(localnet) }
  })
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
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
