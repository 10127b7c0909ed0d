import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import { enter, pressConvert, readCode, readDone } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { enterApiKey } from './views.ts'
import { holdPrompt } from './holdPrompt.ts'
import { startConsoleStack } from './startConsoleStack.ts'

await describeConsole('a service that is down, or refuses more calls', (open) => {
  const stack = setUp(startConsoleStack)

  it('the form says that the service is down, its dialogues open, and it quotes by itself once the service is back', async () => {
    const { page } = await openWithWallet()
    await quote(page, '100')
    await stack.stopService()
    await enter(page, { pay: '101' })
    await page.getByText('Can’t reach the service').first().waitFor()
    await page.getByText('Waiting for the connection…').waitFor()
    // One cause is told once.
    await expect.poll(() => page.getByRole('form').locator('details').count(), eventually).toBe(0)
    await page.getByRole('banner').getByRole('button', { name: 'Browser wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).waitFor()
    await page.keyboard.press('Escape')
    await stack.restartService()
    await page.getByText('Quote valid for').waitFor()
    expect(await page.getByRole('form').locator('details').count()).toBe(0)
  })

  it('a service that answers no more shows on the page until it answers again', async () => {
    const { page } = await openWithWallet()
    await quote(page, '100')
    await page.route('**/health', () => {})
    await page.getByText('Can’t reach the service').first().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByText('Can’t reach the service').first().waitFor({ state: 'detached' })
  })

  it('a conversion goes on after an outage while the wallet asked', async () => {
    const { page, wallet } = await openWithWallet()
    const held = holdPrompt(wallet, 2)
    await quote(page, '100')
    await pressConvert(page)
    await held.shown()
    await stack.stopService()
    held.answer('confirm')
    await stack.restartService()
    await readDone(page)
  })

  it('a page that is opened while the service is down says so, and shows its content then', async () => {
    const { page } = await openWithWallet()
    await page.getByRole('link', { name: 'Pools' }).click()
    await page.getByRole('heading', { name: 'Pools', level: 1 }).waitFor()
    // Also the pages that were not opened yet are loaded now.
    await page.waitForFunction(`performance.getEntries().some(({ name }) => name.includes('/operate-'))`)
    await stack.stopService()
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    await page.getByRole('link', { name: 'Your key' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your key' }).waitFor()
    await page.getByText('Can’t reach the service').first().waitFor()
    await stack.restartService()
    await page.getByRole('region', { name: /^Calls of this key by day in/ }).waitFor()
  })

  it('a page whose files could not be loaded is loaded once the service is back', async () => {
    const { page } = await open({ stack, faults: true })
    await page.getByRole('heading', { name: 'Convert', level: 1 }).waitFor()
    await stack.stopService()
    await page.getByRole('link', { name: 'Pools' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    await stack.restartService()
    await page.getByRole('heading', { name: 'Pools', level: 1 }).waitFor()
  })

  it('a key that has made all of its calls is told how long to wait, counting down', async () => {
    const { page } = await openWithWallet('/build/key')
    // The calls of a standard key, of which all may come in one second.
    const limits = { requests: 100, windowSeconds: 900, burstPerSecond: 1000, monthlyQuota: 100_000 }
    const { key } = await createAdminClient(stack.url, 'local-admin-key').issue(limits)
    await enterApiKey(page, key)
    await page.getByText(/^\d+ of 100 left$/).waitFor()
    await useUp(key)
    await page.getByRole('link', { name: 'Convert' }).click()
    await enter(page, { pay: '100' }).catch(() => {})
    const notice = page.getByRole('main')
    await expect.poll(() => readCode(notice), eventually).toBe('svc/rate-limited')
    const timer = page.getByRole('main').getByRole('timer').first()
    const first = await timer.innerText()
    expect(first).toMatch(/^Retrying in \d+ min/)
    await expect.poll(() => timer.innerText(), eventually).not.toBe(first)
  })

  async function useUp(key: string): Promise<void> {
    let status = 200
    while (status === 200) {
      const response = await fetch(`${stack.url}/api/v1/chains`, { headers: { 'x-api-key': key } })
      await response.body?.cancel()
      status = response.status
    }
    expect(status).toBe(429)
  }

  async function openWithWallet(path?: string) {
    const wallet = await createBrowserWallet({ chains: stack.chains })
    return { ...(await open({ stack, wallet, faults: true, ...(path !== undefined && { path }) })), wallet }
  }
})

async function quote(page: Page, pay: string): Promise<void> {
  await enter(page, { from: 'tAUD', to: 'tUSD', pay })
  await page.getByText('Quote valid for').waitFor()
}
