import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { amountField, enter, pressConvert, readDone } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { holdPrompt } from './holdPrompt.ts'
import type { Call, OpenConsole } from './openConsole.ts'

await describeConsole('quotes as the user types', (open) => {
  it('the previous quote stays until the next one is there, and one request is in flight at a time', async () => {
    const gate = createGate()
    const opened = await openWithWallet(gate.prepare)
    const { page } = opened
    const receive = amountField(page, 'You receive')
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await expect.poll(() => receive.inputValue(), eventually).toBe('65.087440')
    gate.close()
    for (const pay of ['101', '102', '103']) {
      const { length } = listQuotes(opened)
      await enter(page, { pay })
      await expect.poll(() => listQuotes(opened).length, eventually).toBe(length + 1)
      const inFlight = () => listQuotes(opened).filter(({ isOver }) => !isOver).length
      await expect.poll(inFlight, eventually).toBe(1)
      expect(await receive.inputValue()).toBe('65.087440')
      expect(await page.getByRole('region', { name: 'Quote' }).innerText()).toContain('65.054896')
    }
    gate.open()
    await expect.poll(() => receive.inputValue(), eventually).toBe('67.040063')
  })

  it('an amount that is typed quickly is quoted once', async () => {
    const opened = await openWithWallet()
    const { page } = opened
    await page.getByText('Balance 1,000').first().waitFor()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await amountField(page, 'You pay').pressSequentially('12.3456')
    expect(listQuotes(opened)).toHaveLength(0)
    await page.clock.resume()
    await page.getByText('Quote valid for').waitFor()
    expect(listQuotes(opened)).toHaveLength(1)
  })

  it('a quote is renewed before its end while the user is there, and expires when not', async () => {
    const opened = await openWithWallet()
    const { page } = opened
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await page.getByText('Quote valid for').waitFor()
    const { length } = listQuotes(opened)
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000)
    await page.clock.fastForward(51_000)
    // A jump of the clock would end a request that is in flight.
    const listAnswered = () => listQuotes(opened).filter(({ isOver }) => isOver)
    await expect.poll(() => listAnswered().length, eventually).toBe(length + 1)
    await page.clock.fastForward(180_000)
    await page.getByText('Quote expired').waitFor()
    await page.clock.resume()
    await page.getByRole('button', { name: 'Renew' }).click()
    await page.getByText('Quote valid for').waitFor()
    expect(listQuotes(opened)).toHaveLength(length + 2)
  })

  it('a link enters the tokens and the amount, and the URL does not keep them', async () => {
    const { page } = await open({ wallet: await createBrowserWallet(), path: '/?from=tEUR&to=tUSD&amount=100' })
    await page.getByText('Quote valid for').waitFor()
    expect(await amountField(page, 'You pay').inputValue()).toBe('100')
    await page.getByRole('button', { name: 'Token to pay: tEUR' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('the clock of the device does not decide whether a quote is valid', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet, prepare: (context) => context.addInitScript(advanceClock) })
    page.setDefaultTimeout(15000)
    const held = holdPrompt(wallet, 1)
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await page.getByText(/^Quote valid for (4|5)\d s$/).waitFor()
    await pressConvert(page)
    await held.shown()
    await page.getByText(/The quote is valid for (3|4|5)\d s/).waitFor()
    held.answer('confirm')
    await readDone(page)
  })

  it('with a decimal comma, amounts are shown and read with it, and the page asks about an ambiguous amount', async () => {
    const { page } = await open({ wallet: await createBrowserWallet(), locale: 'de-DE' })
    const receive = amountField(page, 'You receive')
    await page.getByText('Balance 1.000', { exact: true }).first().waitFor()
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '1.000' })
    await page.getByText('Write 1000 or 1,000: the point may separate thousands or decimals.').waitFor()
    await enter(page, { pay: '100,00' })
    await expect.poll(() => receive.inputValue(), eventually).toBe('65,087440')
    await enter(page, { receive: '1.065,08744' })
    await page.getByText('Read as 1.065,08744 tUSD').waitFor()
  })

  /** Opens the page, whose clock the test moves. */
  async function openWithWallet(prepare?: (context: BrowserContext) => Promise<unknown>): Promise<OpenConsole> {
    return await open({
      wallet: await createBrowserWallet(),
      async prepare(context) {
        await context.clock.install()
        await prepare?.(context)
      },
    })
  }
})

/** Runs in the page: its device is a day ahead. */
const advanceClock = `
  const { now } = Date
  Date.now = () => now() + 86_400_000
  globalThis.Date = class extends Date {
    constructor(...values) {
      super(...(values.length === 0 ? [Date.now()] : values))
    }
  }
`

function listQuotes({ listCalls }: OpenConsole): readonly Call[] {
  return listCalls().filter(({ procedure }) => procedure === 'convert.quote')
}

/** A gate that holds requests of quotes back while it is closed. */
function createGate() {
  let { promise, resolve } = Promise.withResolvers<void>()
  resolve()
  return {
    prepare: (context: BrowserContext) =>
      context.route(/convert\.quote/, async (route) => {
        await promise
        await route.fallback()
      }),
    close() {
      ;({ promise, resolve } = Promise.withResolvers<void>())
    },
    open: () => resolve(),
  }
}
