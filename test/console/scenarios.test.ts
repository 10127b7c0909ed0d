import type { ScenarioName } from '@agio/localnet'
import type { BrowserContext } from 'playwright-core'
import { parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { eventually } from '../harness/timeLimits.ts'
import { enter, pressConvert, readCode, readDone } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { readHolding } from './readHolding.ts'
import { startConsoleStack, type OwnConsoleStack } from './startConsoleStack.ts'

/** The scenarios that refuse a quote, each with its error. */
const refusals = {
  'stale-price': 'svc/stale-price',
  'thin-pool': 'svc/above-max-origin',
  'pool-frozen': 'svc/pool-frozen',
  'rpc-down': 'svc/upstream-unavailable',
  'rpc-slow': 'svc/upstream-timeout',
  'rpc-rate-limited': 'svc/upstream-unavailable',
  'rpc-garbage': 'svc/upstream-error',
} as const

await describeConsole('the console during faults', (open) => {
  let stack: OwnConsoleStack

  beforeAll(async () => {
    stack = await startConsoleStack()
  })

  afterAll(() => stack?.[Symbol.asyncDispose]())

  afterEach(() => stack.scenarios.reset())

  it.each(Object.entries(refusals))('%s: the page explains %s, and quotes again after a reset', async (name, code) => {
    const { page } = await openWithWallet()
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '1000' })
    await page.getByText('Quote valid for').waitFor()
    await stack.run(name as ScenarioName)
    await enter(page, { pay: '999' })
    const form = page.getByRole('form')
    await vi.waitUntil(async () => (await readCode(form)) === code, eventually)
    expect(await page.getByRole('button', { name: 'Convert', exact: true }).getAttribute('aria-disabled')).toBe('true')
    await stack.scenarios.reset()
    await enter(page, { pay: '998' })
    await page.getByText('Quote valid for').waitFor()
    expect(await form.locator('details').count()).toBe(0)
  })

  it('price-move: a quote that is worse than the accepted one is converted only after its price was accepted', async () => {
    const { page, wallet } = await openWithWallet((context) => context.clock.install())
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await page.getByText('Quote valid for').waitFor()
    await stack.run('price-move', { symbol: 'tAUD', percent: -5 })
    await page.clock.fastForward(55_000)
    await page.getByText('Price changed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Accept new price' }).click()
    await pressConvert(page)
    await readDone(page)
    expect(await holds('tUSD', wallet)).toBeLessThan(parseUnits('1065', 6))
  })

  const holds = (symbol: string, wallet: TestWallet) => readHolding(symbol, wallet, { stack })

  async function openWithWallet(prepare = async (_: BrowserContext) => {}) {
    const wallet = await createBrowserWallet({ chains: stack.chains })
    return { ...(await open({ stack, wallet, faults: true, prepare })), wallet }
  }
})
