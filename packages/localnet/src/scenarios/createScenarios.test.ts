import { encodeFunctionData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { localAccounts } from '../accounts/localAccounts.ts'
import { oracleAbi } from '../price/keeper.ts'
import { setUpLocalnet } from '../../test/startTestLocalnet.ts'
import { readRound } from './chain/prices.ts'
import { createScenarios, type Scenarios } from './createScenarios.ts'
import { createChainOperator } from './node/createChainOperator.ts'

const localnet = setUpLocalnet()
let scenarios: Scenarios

beforeAll(() => {
  scenarios = createScenarios({ localnet })
})

test('without a service, a scenario returns once the chain has the fault, and a reset once it has not', async () => {
  const chain = localnet.chains[421614]
  const read = () => readRound(createChainOperator(chain, localnet), chain.oracles.tEUR)
  const before = await read()
  const moved = await scenarios.run('price-move', { chainId: 421614, symbol: 'tEUR', percent: 50 })
  expect(moved).toMatchObject({ chainId: 421614, blockNumber: expect.any(Number) as number })
  expect(await read()).toEqual({ ...before, answer: 162_675_000n })
  await scenarios.reset()
  expect((await read()).answer).toBe(before.answer)
})

test('error: svc/invalid-request for an rpc-* scenario without a proxy between service and node', async () => {
  await expect(scenarios.run('rpc-down')).rejects.toMatchObject({ code: 'svc/invalid-request' })
})

test('error: svc/invalid-request once price moves add up to more than 100,000,000 dollars, and a reset restores the price', async () => {
  const chain = localnet.chains[84532]
  const read = () => readRound(createChainOperator(chain, localnet), chain.oracles.tAUD)
  const { answer } = await read()
  const move = () => scenarios.run('price-move', { symbol: 'tAUD', percent: 1000 })
  for (let moved = 0; moved < 7; moved += 1) await move()
  await expect(move()).rejects.toMatchObject({
    code: 'svc/invalid-request',
    details: { field: 'percent', value: 1000 },
  })
  expect((await read()).answer).toBe(answer * 11n ** 7n)
  await scenarios.reset()
  expect((await read()).answer).toBe(answer)
})

test('error: svc/upstream-error for a transaction of a scenario that reverts', async () => {
  const { oracles } = localnet.chains[84532]
  const operator = createChainOperator(localnet.chains[84532], localnet)
  const data = encodeFunctionData({ abi: oracleAbi, functionName: 'updateAnswer', args: [1n] })
  await expect(operator.sendAs(localAccounts[1].address, oracles.tAUD, data)).rejects.toMatchObject({
    code: 'svc/upstream-error',
    message: expect.stringMatching(/^Cannot change chain 84532: contract 0x\w+ reverted transaction 0x\w+$/) as string,
  })
})

test('error: svc/upstream-unavailable, with a message without a URL, while the node is unreachable', async () => {
  const unreachable = { ...localnet.chains[84532], rpcUrl: 'http://127.0.0.1:1' }
  const { run, reset } = createScenarios({
    localnet: { ...localnet, chains: { ...localnet.chains, 84532: unreachable } },
  })
  const failure = { code: 'svc/upstream-unavailable', message: 'Cannot change the chain: its node cannot be reached' }
  await expect(run('stale-price')).rejects.toMatchObject(failure)
  await expect(reset()).rejects.toMatchObject(failure)
})
