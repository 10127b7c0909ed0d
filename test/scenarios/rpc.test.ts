import type { LocalChain, Localnet } from '@agio/localnet'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { validInputs } from '../contract/validInputs.ts'
import { connectOwner } from '../stack/connectOwner.ts'
import { startTestLocalnet } from '../stack/startTestLocalnet.ts'
import { startScenarioStack, type ScenarioStack } from './startScenarioStack.ts'

let localnet: Localnet
let stack: ScenarioStack
let chain: LocalChain
let inputs: ReturnType<typeof validInputs>

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
  stack = await startScenarioStack(localnet)
  chain = localnet.chains[84532]
  inputs = validInputs(chain)
  await expectWell()
})

afterAll(async () => {
  await stack?.stop()
  await localnet?.stop()
})

afterEach(async () => {
  await stack.recover('approval.check', inputs['approval.check'])
  await expectWell()
})

describe.each([
  ['rpc-down', '503 svc/upstream-unavailable'],
  ['rpc-rate-limited', '503 svc/upstream-unavailable'],
  ['rpc-garbage', '502 svc/upstream-error'],
] as const)('%s', (name, outcome) => {
  it(`is ${outcome} for the very next read, while previews go on`, async () => {
    await stack.scenarios.run(name)
    expect(await stack.ask('approval.check', inputs['approval.check'])).toEqual(both(outcome))
    expect(await stack.ask('convert.preview', inputs['convert.preview'])).toEqual(both('200 ok'))
  })

  it('leaves the node’s own port and the other chain alone', async () => {
    await stack.scenarios.run(name)
    expect(await connectOwner(chain).client.getChainId()).toBe(84532)
    const other = validInputs(localnet.chains[421614])['approval.check']
    expect(await stack.ask('approval.check', other)).toEqual(both('200 ok'))
  })
})

it('rpc-down for longer than a block may be used ends previews too, and health says so', async () => {
  await stack.scenarios.run('rpc-down')
  const failed = both('503 svc/upstream-unavailable')
  await expect
    .poll(() => stack.ask('convert.preview', inputs['convert.preview']), { timeout: 15_000, interval: 200 })
    .toEqual(failed)
  const readHealth = async () => await (await fetch(`${stack.url}/health`)).json()
  const unreachable = { status: 'degraded', chains: [{ chainId: 84532, status: 'unreachable' }, { status: 'ok' }] }
  await expect.poll(readHealth, { timeout: 5000 }).toMatchObject(unreachable)
})

describe('rpc-slow', () => {
  it('below the time limit is waited for', async () => {
    await stack.scenarios.run('rpc-slow', { ms: 700 })
    const startedAtMs = performance.now()
    expect(await stack.ask('approval.check', inputs['approval.check'])).toEqual(both('200 ok'))
    expect(performance.now() - startedAtMs).toBeGreaterThan(690)
  })

  it('beyond it is 504 svc/upstream-timeout, and what it holds back is let go by reset', async () => {
    await stack.scenarios.run('rpc-slow', { ms: 60_000 })
    expect(await stack.ask('approval.check', inputs['approval.check'])).toEqual(both('504 svc/upstream-timeout'))
  })
})

it('the last rpc fault counts, and a fault on the chain is put in place behind it all the same', async () => {
  await stack.scenarios.run('rpc-garbage')
  await stack.scenarios.run('rpc-down')
  const failed = both('503 svc/upstream-unavailable')
  expect(await stack.ask('approval.check', inputs['approval.check'])).toEqual(failed)
  await stack.scenarios.run('pool-frozen')
  await stack.scenarios.run('rpc-slow', { ms: 0 })
  await expect
    .poll(() => stack.ask('convert.preview', inputs['convert.preview']), { timeout: 5000 })
    .toEqual(both('422 svc/pool-frozen'))
})

async function expectWell(): Promise<void> {
  expect(await stack.ask('convert.preview', inputs['convert.preview'])).toEqual(both('200 ok'))
  // A chain that nobody has asked about is looked at once a second.
  await vi.waitFor(async () => {
    const health = await (await fetch(`${stack.url}/health`)).json()
    expect(health).toMatchObject({ status: 'ok', chains: [{ status: 'ok' }, { status: 'ok' }] })
  }, 5000)
}

function both(outcome: string): readonly string[] {
  return [outcome, outcome]
}
