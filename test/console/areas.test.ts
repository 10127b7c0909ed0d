import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import { expectSigned, startReceiver, status } from '../webhooks/startReceiver.ts'
import { describeConsole } from './describeConsole.ts'
import { startConsoleStack } from './startConsoleStack.ts'
import { enterAdminKey, enterApiKey, readSecret, waitUntilLoaded } from './views.ts'

await describeConsole('the areas of the console', (open) => {
  const stack = setUp(startConsoleStack)
  const call: Caller = (...args) => createRestCaller({ url: stack.url, apiKey: 'local-key' })(...args)

  it.each([
    ['/developers', 'API calls'],
    ['/usage', 'Your key'],
    ['/build', 'Requests'],
    ['/operate', 'API keys'],
  ])('the address %s leads to the page "%s"', async (path, title) => {
    const { page } = await open({ path })
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  })

  it('a webhook is created, tried, replayed, rotated and deleted, and its receiver verifies each message', async () => {
    await using receiver = await startReceiver()
    const { page } = await open({ path: '/build/webhooks', stack })
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByLabel('URL of the receiver').fill(receiver.url)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = await readSecret(page)
    receiver.setAnswer(status(500))
    await page.getByRole('button', { name: 'Send test event' }).click()
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' })
    await row.getByText('HTTP 500').waitFor()
    receiver.setAnswer(status(204))
    await row.getByRole('button', { name: /^Replay/ }).click()
    await row.getByText('Delivered', { exact: true }).waitFor()
    for (const message of receiver.messages) expectSigned(message, [secret])
    expect(new Set(receiver.types())).toEqual(new Set(['webhook.test']))

    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    const next = await readSecret(page)
    const { length } = receiver.messages
    await page.getByRole('button', { name: 'Send test event' }).click()
    await expect.poll(() => receiver.messages.length, eventually).toBeGreaterThan(length)
    expectSigned(receiver.messages.at(-1) as (typeof receiver.messages)[number], [next, secret])
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet.').waitFor()
  })

  it('from the first page, the cause of a failed call is two clicks away, and a request is found by its id', async () => {
    const request = { chainId: 84532, tokenIn: 'tAUD', tokenOut: 'tUSD', amountIn: '1' }
    const { failure } = await call('convert.preview', request)
    const [code, requestId] = [String(failure?.code), String(failure?.['requestId'])]
    const { page } = await open({ stack })
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    const cause = page.getByRole('link', { name: code }).first()
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click()
        return await cause.count()
      }, eventually)
      .toBe(1)
    expect(await cause.getAttribute('href')).toBe(`/docs/errors#${code.replace('svc/', '')}`)

    await openSearch(page)
    await page.keyboard.type(requestId)
    await page.keyboard.press('Enter')
    const rows = page.getByRole('row').filter({ hasText: 'convert.preview' })
    await expect.poll(() => rows.count(), eventually).toBe(1)
    await rows.getByRole('button', { name: `Show the request ${requestId}` }).click()
    await page.getByText(requestId, { exact: true }).waitFor()
  })

  it('the search opens a page by the keyboard, and returns the focus when it is closed', async () => {
    const { page } = await open({ stack })
    await waitUntilLoaded(page)
    const search = page.getByRole('button', { name: 'Search' })
    await search.press('Enter')
    await page.getByRole('option', { name: /^Webhooks/ }).waitFor()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => search.evaluate((button) => button === button.ownerDocument.activeElement), eventually)
      .toBe(true)
    await openSearch(page)
    await page.keyboard.type('audit')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
  })

  it('a key without the scopes of a page does not list the page', async () => {
    const { page } = await open({ stack, path: '/build/key' })
    const pages = page.getByRole('navigation', { name: 'Pages of Build' }).getByRole('link')
    await expect.poll(() => pages.allInnerTexts(), eventually).toContain('Webhooks')
    const { key } = await createAdminClient(stack.url, 'local-admin-key').issueWith({ scopes: ['read', 'usage'] })
    await enterApiKey(page, key)
    await page.getByText('read, usage').waitFor()
    expect(await pages.allInnerTexts()).toEqual(['Requests', 'Your key', 'API calls', 'Faults and time'])
  })

  it('an operator restricts and erases a key, and the audit log has each change and is verified', async () => {
    const { page } = await open({ stack, path: '/operate/keys' })
    await enterAdminKey(page)
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    for (const [label, text] of Object.entries({
      Name: 'Restricted shop',
      Email: 'dev@shop.example',
      Use: 'tests',
      'Expected volume': 'a few',
      'Origins of web pages': 'https://shop.example',
      Networks: '203.0.113.0/24',
    }))
      await dialog.getByLabel(label, { exact: true }).fill(text)
    await dialog.getByLabel('Dry run').check()
    await dialog.getByLabel('faucet').uncheck()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await readSecret(page)
    const row = page.getByRole('row', { name: /^Restricted shop/ })
    await row.getByText('https://shop.example; 203.0.113.0/24 (dry run)').waitFor()
    const shown = page.getByRole('region', { name: 'Restricted shop', exact: true })
    await shown.getByText('read, build, broadcast, webhooks, usage', { exact: true }).waitFor()
    await shown.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Origins of web pages').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('203.0.113.0/24 (dry run)', { exact: true }).waitFor()
    await shown.getByRole('button', { name: 'Erase' }).click()
    await dialog.getByLabel(/^Type the name of the key/).fill('Restricted shop')
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await row.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Audit' }).click()
    for (const operation of ['create', 'update', 'erase'])
      await page
        .getByRole('rowheader', { name: `admin.keys.${operation}`, exact: true })
        .first()
        .waitFor()
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await page.getByText(/^The log is complete: \d+ events$/).waitFor()
  })

  it('an operator pauses and resumes the quotes of a pair, rotates the secret of quotes, sees each node, and creates a backup', async () => {
    const { page } = await open({ stack, path: '/operate/quotes' })
    await enterAdminKey(page)
    await page.getByRole('button', { name: 'Pause on Base Sepolia' }).click()
    await page.getByRole('rowheader', { name: /tAUD.* \/ |\/ tAUD/ }).waitFor()
    const { tAUD: tokenIn, tUSD: tokenOut } = stack.chains[84532].tokens
    const quote = async () =>
      (await call('convert.quote', { chainId: 84532, tokenIn, tokenOut, amountIn: '1' })).failure?.code
    await expect.poll(quote, eventually).toBe('svc/quoting-paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('No pair is paused.').waitFor()
    await expect.poll(quote, eventually).toBeUndefined()
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('New secret', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('row', { name: /^Base Sepolia 1 Healthy/ }).waitFor()
    await page.getByRole('button', { name: 'Create backup' }).click()
    await page.getByText(/^agio-\w+\.tar\.gz$/).waitFor()
  })

  it('the time of a local stack moves, and a form that is refused says why', async () => {
    const { page } = await open({ stack, path: '/build/faults', faults: true })
    const clock = page.getByRole('region', { name: 'Time of the stack' }).locator('time')
    const read = async () => Date.parse((await clock.getAttribute('datetime')) ?? '')
    const before = await read()
    await page.getByLabel('Travel to').fill('yesterday')
    await page.getByRole('button', { name: 'Travel' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Travel to').fill('+1 day')
    await page.getByRole('button', { name: 'Travel' }).click()
    await expect.poll(read, eventually).toBeGreaterThanOrEqual(before + 86_400_000)
  })
})

async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Page, request id/ }).waitFor()
}
