import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { eventually } from '../harness/timeLimits.ts'
import { enter } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { enterApiKey } from './views.ts'

const apiKey = 'an-api-key-of-the-user'
const adminKey = 'local-admin-key'
const name = 'agio.api-key'

await describeConsole('where the console keeps keys', (open) => {
  it('an API key is in the sessionStorage of its tab and nowhere else, and nowhere once it is forgotten', async () => {
    const { page, context } = await open({ path: '/build/key', faults: true })
    await enterUnknownKey(page)
    expect(await findKey(page, apiKey)).toEqual([`sessionStorage ${name}`])
    await page.reload()
    await page.getByRole('link', { name: 'Convert' }).click()
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
    expect(await findKey(page, apiKey)).toEqual([`sessionStorage ${name}`])
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { level: 1 }).waitFor()
    expect(await findKey(other, apiKey)).toEqual([])
    await page.getByRole('link', { name: 'Your key' }).click()
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await expect.poll(() => findKey(page, apiKey), eventually).toEqual([])
  })

  it('an API key is sent only in its header, and only to the service', async () => {
    const { page } = await open({ path: '/build/key', faults: true })
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.headers()['x-api-key'] === apiKey) requests.push(new URL(request.url()).origin)
      expect(`${request.url()} ${request.postData() ?? ''}`).not.toContain(apiKey)
    })
    await enterUnknownKey(page)
    await expect.poll(() => requests.length, eventually).toBeGreaterThan(0)
    expect(new Set(requests)).toEqual(new Set([new URL(page.url()).origin]))
  })

  it.each([
    ['that is revoked while a quote is valid', undefined, 'No quote available'],
    ['that may only read', ['read'], 'This API key may only read. Use another key to convert.'],
  ])('a key %s cannot convert', async (_, scopes, reason) => {
    const admin = createAdminClient(inject('stack').url, adminKey)
    const { id, key } = await admin.issueWith({ scopes })
    const { page } = await open({
      wallet: await createBrowserWallet(),
      faults: true,
      prepare: (context) => context.addInitScript(`if (origin !== 'null') sessionStorage.setItem('${name}', '${key}')`),
    })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    if (scopes === undefined) {
      await page.getByText('Quote valid for').waitFor()
      await admin.revoke(id)
    }
    // Without a key that works, the quote would be renewed only after 50 s.
    await page.getByText(reason, { exact: true }).waitFor({ timeout: 30_000 })
    const convert = page.getByRole('button', { name: 'Convert', exact: true })
    expect(await convert.getAttribute('aria-disabled')).toBe('true')
  })

  it('a wrong admin key is explained, and a right one is only in the memory of the page, and a reload forgets it', async () => {
    const { page } = await open({ path: '/operate/keys', faults: true })
    await page.getByLabel('Admin key', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The admin key is wrong', { exact: true }).waitFor()
    await page.getByLabel('Admin key', { exact: true }).fill(adminKey)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('region', { name: /^Keys and their usage in/ }).waitFor()
    // The form, which had the focus, is gone: the keyboard goes on at the top of the new content.
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    expect(await findKey(page, adminKey)).toEqual(['the settings of the local stack'])
    await page.reload()
    await page.getByLabel('Admin key', { exact: true }).waitFor()
    expect(await page.getByLabel('Admin key', { exact: true }).inputValue()).toBe('')
  })
})

async function enterUnknownKey(page: Page): Promise<void> {
  await enterApiKey(page, apiKey)
  await page.getByText('The service does not know this API key').waitFor()
}

/** Finds the places in which a page has a key: its storages, cookies, history, URL, attributes, fields and text. */
async function findKey(page: Page, key: string): Promise<readonly string[]> {
  const script = `(() => {
    const key = ${JSON.stringify(key)}
    const found = []
    for (const storage of ['localStorage', 'sessionStorage']) {
      for (const [name, value] of Object.entries(window[storage])) if (value.includes(key)) found.push(storage + ' ' + name)
    }
    for (const [place, text] of Object.entries({
      cookie: document.cookie, URL: location.href, history: JSON.stringify(history.state), title: document.title, text: document.body.innerText,
    })) if (String(text).includes(key)) found.push(place)
    for (const element of document.querySelectorAll('*')) {
      if (element.id === 'settings') { if (element.textContent.includes(key)) found.push('the settings of the local stack'); continue }
      for (const { name, value } of element.attributes) if (value.includes(key)) found.push('attribute ' + name)
      if ('value' in element && String(element.value).includes(key)) found.push('field ' + element.tagName)
    }
    return found
  })()`
  return await page.evaluate<readonly string[]>(script)
}
