import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLocalnet, type Localnet } from '../startLocalnet.ts'
import { createOperator } from './chain/createOperator.ts'
import { readRound } from './chain/readRound.ts'
import { createScenarios, type Scenarios } from './createScenarios.ts'

let localnet: Localnet
let scenarios: Scenarios
const forgotten: number[] = []

beforeAll(async () => {
  const deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-localnet-test-'))
  localnet = await startLocalnet({ rpcPort: 0, deploymentsDir })
  await rm(deploymentsDir, { recursive: true })
  scenarios = createScenarios({ localnet, forgetFaults: (chainId) => void forgotten.push(chainId) })
})

afterAll(async () => {
  await localnet?.stop()
})

test('without a service, a call returns once the chain has the fault, and a reset once it is gone', async () => {
  const chain = localnet.chains[421614]
  const read = () => readRound(createOperator(chain, localnet), chain.oracles.tEUR)
  const before = await read()
  const moved = await scenarios.run('price-move', { chainId: 421614, symbol: 'tEUR', percent: 50 })
  expect(moved).toMatchObject({ chainId: 421614, blockNumber: expect.any(Number) as number })
  expect(await read()).toEqual({ ...before, answer: 162_675_000n })
  await scenarios.reset()
  expect((await read()).answer).toBe(before.answer)
})

test('a call that is refused holds no other one up, and leaves nothing behind', async () => {
  const refused = scenarios.run('reorg', { depth: 0 })
  const next = scenarios.run('mine')
  await expect(refused).rejects.toMatchObject({ code: 'svc/invalid-request', details: { field: 'depth' } })
  await expect(next).resolves.toMatchObject({ scenario: 'mine' })
})

test('a reset lets the service ask the nodes at once, of the chains that are reset', async () => {
  forgotten.length = 0
  await scenarios.reset({ chainId: 421614 })
  expect(forgotten).toEqual([421614])
  await scenarios.reset()
  expect(forgotten.slice(1).toSorted((a, b) => a - b)).toEqual([84532, 421614])
})

test('error: svc/invalid-request for what is between service and node, if nothing is', async () => {
  await expect(scenarios.run('rpc-down')).rejects.toMatchObject({ code: 'svc/invalid-request' })
})

test('error: svc/invalid-request for a price that moves add up to beyond all sense, and a reset brings it back', async () => {
  const chain = localnet.chains[84532]
  const read = () => readRound(createOperator(chain, localnet), chain.oracles.tAUD)
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

test('error: svc/upstream-unavailable, in a sentence without a URL, if the node itself is away', async () => {
  const away = { ...localnet.chains[84532], rpcUrl: 'http://127.0.0.1:1' }
  const { run, reset } = createScenarios({ localnet: { ...localnet, chains: { ...localnet.chains, 84532: away } } })
  const failure = { code: 'svc/upstream-unavailable', message: 'Cannot change the chain: its node cannot be reached' }
  await expect(run('stale-price')).rejects.toMatchObject(failure)
  await expect(reset()).rejects.toMatchObject(failure)
})
