import { Network } from '@agio/core'
import type { Locator, Page } from 'playwright-core'
import { parseUnits, type Hex } from 'viem'
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import { testAccounts, type TestWallet } from '../../packages/sdk/src/testing.ts'
import { fund } from '../harness/createHolder.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import {
  answerTestWallet,
  conversionsIn,
  enter,
  pressConvert,
  readCode,
  readDone,
  shownConversions,
} from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { holdPrompt } from './holdPrompt.ts'
import { inspectPage } from './inspectPage.ts'
import { readHolding } from './readHolding.ts'
import { startConsoleStack } from './startConsoleStack.ts'

await describeConsole('transactions that are sped up and cancelled', (open) => {
  const stack = setUp(startConsoleStack)
  let client: Owner['client']

  beforeAll(async () => {
    client = connectOwner(stack.chains[Network.defaultChainId]).client
  })

  afterEach(() => stack.reset())

  it('a speed-up by the page is mined: the conversion is done once, and the page names both transactions', async () => {
    const { page, wallet } = await beginPending()
    const [first] = await readHashes(page)
    await press(page, 'Speed up')
    await page.getByText('Only one of the transactions can be mined').waitFor()
    const faster = (await readHashes(page)).at(-1)
    await stack.run('mine')
    await readDone(page)
    expect(await readNote(page)).toMatch(/^The speed-up was mined instead of the first transaction\. Mined: 0x/)
    expect(await holds('tAUD', wallet)).toBe(parseUnits('900', 6))
    expect(await client.getTransactionReceipt({ hash: faster as Hex })).toMatchObject({ status: 'success' })
    await expect(client.getTransactionReceipt({ hash: first as Hex })).rejects.toThrow('could not be found')
    expect(await noteHashes(page)).toEqual([faster, first])
    await inspectPage(page, 'replace-done')
  })

  it('a speed-up that is pending can be sped up and cancelled after a reload', async () => {
    const { page, wallet } = await beginPending()
    await press(page, 'Speed up')
    await page.getByText('Only one of the transactions can be mined').waitFor()
    const faster = (await readHashes(page)).at(-1)
    await page.reload()
    await newest(page).getByRole('button', { name: 'Speed up' }).waitFor()
    expect((await readHashes(page)).at(-1)).toBe(faster)
    await press(page, 'Speed up')
    await expect.poll(async () => (await readHashes(page)).at(-1), eventually).not.toBe(faster)
    await press(page, 'Cancel')
    await page.getByText('The cancellation was sent').waitFor()
    await page.reload()
    await page.getByText('The cancellation was sent').waitFor()
    const cancellation = (await readHashes(page)).at(-1)
    await press(page, 'Speed up')
    await expect.poll(async () => (await readHashes(page)).at(-1), eventually).not.toBe(cancellation)
    await stack.run('mine')
    await conversionsIn(page, 'Cancelled').waitFor()
    expect(await holds('tAUD', wallet)).toBe(parseUnits('1000', 6))
  })

  it('a cancellation by the page is mined: nothing is converted, and the page says so', async () => {
    const { page, wallet } = await beginPending()
    const [first] = await readHashes(page)
    await press(page, 'Cancel')
    await page.getByText('Only one of the transactions can be mined').waitFor()
    const cancellation = (await readHashes(page)).at(-1)
    await stack.run('mine')
    await conversionsIn(page, 'Cancelled').waitFor()
    expect(await readCode(shownConversions(page).first())).toBe('convert/replaced')
    await page.getByText('The transaction was cancelled').first().waitFor()
    expect(await readNote(page)).toMatch(/^The cancellation was mined instead of the first transaction\. Mined: 0x/)
    expect(await noteHashes(page)).toEqual([cancellation, first])
    expect(await holds('tAUD', wallet)).toBe(parseUnits('1000', 6))
    const { from, to, input, value } = await client.getTransaction({ hash: cancellation as Hex })
    expect({ from, to, input, value }).toEqual({ from, to: from, input: '0x', value: 0n })
  })

  it('a transaction that is mined while the wallet asks for its speed-up converts, and the page says that nothing was sent', async () => {
    const { page, wallet } = await beginPending()
    const held = holdPrompt(wallet, 1)
    await press(page, 'Speed up')
    await held.shown()
    await page.getByText('Confirm the speed-up in your wallet.').waitFor()
    await stack.run('mine')
    await readDone(page)
    held.answer('confirm')
    await page.getByText('The transaction was already mined').waitFor()
    expect(await readNote(page)).toMatch(/so no speed-up was sent\. Mined: 0x[^:]*$/)
    expect(await holds('tAUD', wallet)).toBe(parseUnits('900', 6))
  })

  it('a cancellation that the user refuses is explained, and the conversion goes on', async () => {
    const { page, wallet } = await beginPending()
    wallet.answer('reject')
    await press(page, 'Cancel')
    expect(await readCode(shownConversions(page).first())).toBe('wallet/rejected')
    await stack.run('mine')
    await readDone(page)
    expect(await holds('tAUD', wallet)).toBe(parseUnits('900', 6))
    expect(await note(page).count()).toBe(0)
  })

  it('a speed-up by the wallet itself is found', async () => {
    const { page, wallet } = await beginPending()
    const [first] = await readHashes(page)
    const own = await wallet.speedUp(first as Hex)
    await stack.run('mine')
    await readDone(page)
    expect(await noteHashes(page)).toEqual([own, first])
    expect(await holds('tAUD', wallet)).toBe(parseUnits('900', 6))
  })

  it('the actions, the prompt of the test wallet and the outcome are accessible, and fit a narrow page', async () => {
    await fund(stack.chains[Network.defaultChainId], testAccounts[1].address, { tAUD: '1000' })
    const { page } = await open({ stack, faults: true })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(page)
    await answerTestWallet(page, 'a signature', 'Confirm')
    await stack.run('no-mining')
    await answerTestWallet(page, 'to convert', 'Confirm')
    await shownConversions(page).first().getByRole('button', { name: 'Speed up' }).waitFor()
    await inspectPage(page, 'replace-actions')
    await press(page, 'Cancel')
    await page.getByRole('dialog', { name: 'Test wallet' }).waitFor()
    await inspectPage(page, 'replace-prompt')
    await answerTestWallet(page, 'to cancel', 'Confirm')
    await page.getByText('Only one of the transactions can be mined').waitFor()
    await inspectPage(page, 'replace-sent')
    await stack.run('mine')
    await conversionsIn(page, 'Cancelled').waitFor()
    await inspectPage(page, 'replace-cancelled')
  })

  /** Converts 100 tAUD, until the transaction is sent and not mined. */
  async function beginPending() {
    const wallet = await createBrowserWallet({ chains: stack.chains, holding: { tUSD: '1000', tAUD: '1000' } })
    const opened = await open({ stack, wallet, faults: true })
    const notFound: string[] = []
    opened.context.on('response', (response) => response.status() === 404 && notFound.push(response.url()))
    // A look may be under way while the wallet replaces the transaction. It is not repeated.
    onTestFinished(() => expect(notFound).toEqual([...new Set(notFound)]))
    const held = holdPrompt(wallet, 2)
    await enter(opened.page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await pressConvert(opened.page)
    await held.shown()
    await stack.run('no-mining')
    held.answer('confirm')
    await newest(opened.page).getByRole('button', { name: 'Speed up' }).waitFor()
    return { ...opened, wallet }
  }

  const holds = (symbol: string, wallet: TestWallet) => readHolding(symbol, wallet, { stack })
})

const newest = (page: Page) => shownConversions(page).first()
const press = (page: Page, name: 'Speed up' | 'Cancel') =>
  newest(page).getByRole('button', { name, exact: true }).click()

const note = (page: Page) => newest(page).locator('div', { hasText: 'Mined: ' })
/** The hashes that the newest conversion shows, in full. */
const readHashes = (page: Page) => listHashes(newest(page))
const noteHashes = (page: Page) => listHashes(note(page).last())

/** What the newest conversion says about the transaction that was mined. */
async function readNote(page: Page): Promise<string> {
  return (await note(page).last().innerText()).replaceAll(/\s+/g, ' ')
}

async function listHashes(part: Locator): Promise<readonly string[]> {
  const titles = await part
    .locator('code[title]')
    .evaluateAll((codes) => codes.map((code) => code.getAttribute('title')))
  return titles.filter((title) => title !== null)
}
