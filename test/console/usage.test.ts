import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { describeConsole } from './describeConsole.ts'
import { enterApiKey, readSecret, showKeys } from './views.ts'

const { url } = inject('stack')

await describeConsole('usage and keys in the console', (open) => {
  async function openPage(path: string): Promise<Page> {
    const { page } = await open({ path, faults: true, acceptDownloads: true })
    return page
  }

  it('the page shows what the key has called by day and operation, and its remaining limits', async () => {
    const page = await openPage('/build/key')
    await page.getByRole('button', { name: 'Use the local key, standard limits' }).click()
    const limits = page.getByRole('main')
    await limits.getByText(/^\d+ of 100 left$/).waitFor()
    await limits.getByText(/^[\d,]+ of 100,000 left$/).waitFor()
    expect(await limits.getByRole('meter', { name: 'Rate' }).getAttribute('max')).toBe('100')
    expect(await limits.getByRole('meter', { name: 'Node requests' }).getAttribute('max')).toBe('89000')
    const byOperation = page.getByRole('region', { name: /^Calls of this key by operation in/ })
    const count = async () =>
      Number(await byOperation.getByRole('row', { name: 'usage.get' }).getByRole('cell').innerText())
    const before = await count()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(count).toBe(before + 1)
    // The database may have the calls of an earlier day, too.
    const byDay = page.getByRole('region', { name: /^Calls of this key by day in/ })
    const cells = byDay.getByRole('row').locator('td:first-of-type')
    const sum = async () => (await cells.allInnerTexts()).reduce((total, calls) => total + Number(calls), 0)
    expect(await byDay.getByRole('columnheader').nth(1).innerText()).toBe('usage.get')
    await expect.poll(sum).toBe(before + 1)
  })

  it('a key that is revoked while the page is open has no quota left on the page', async () => {
    const admin = createAdminClient(url, 'local-admin-key')
    const { id, key } = await admin.issue()
    const page = await openPage('/build/key')
    await enterApiKey(page, key)
    const left = page.getByRole('main').getByText(/ left$/)
    await left.first().waitFor()
    await admin.revoke(id)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('The API key was revoked').waitFor()
    expect(await left.count()).toBe(0)
  })

  it('a key is issued, shown once, rotated with an overlap and revoked, each confirmed by its name', async () => {
    const page = await openPage('/operate/keys')
    await showKeys(page)
    const name = `Key ${crypto.randomUUID()}`
    const first = await issue(page, name)
    expect(await callWith(first)).toBe(200)

    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const rotate = page.getByRole('dialog').getByRole('button', { name: 'Rotate' })
    expect(await rotate.isDisabled()).toBe(true)
    await page.getByLabel(/^Type the name of the key/).fill(name)
    await rotate.click()
    const second = await readSecret(page)
    expect(second).not.toBe(first)
    expect([await callWith(first), await callWith(second)]).toEqual([200, 200])

    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByLabel(/^Type the name of the key/).fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name }).getByText('Revoked').waitFor()
    expect([await callWith(first), await callWith(second)]).toEqual([403, 403])

    // The calls of the page are shown without secrets.
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    await page.getByRole('link', { name: 'API calls' }).click()
    await page.getByRole('heading', { level: 1, name: 'API calls' }).waitFor()
    const shown = await page.content()
    for (const secret of [first, second, 'local-admin-key']) expect(shown.split('id="root"')[1]).not.toContain(secret)
  })

  it('expired, publishable and restricted keys are marked, and expired ones do not count as active', async () => {
    const admin = createAdminClient(url, 'local-admin-key')
    const named = (name: string) => ({ name: `${name} ${crypto.randomUUID()}` })
    const page = await openPage('/operate/keys')
    await showKeys(page)
    const restrictions = {
      Expired: { expiresAt: new Date(Date.now() + 1500).toISOString() },
      Publishable: { kind: 'publishable', allowedOrigins: ['https://shop.example'] },
      Restricted: { scopes: ['read'] },
    }
    for (const [badge, fields] of Object.entries(restrictions)) await admin.issueWith({ ...named(badge), ...fields })
    await expect
      .poll(async () => {
        await page.reload()
        await showKeys(page)
        return await page
          .getByRole('row', { name: /^Expired / })
          .getByText('Expired', { exact: true })
          .count()
      })
      .toBe(1)
    for (const badge of ['Publishable', 'Restricted']) {
      await page
        .getByRole('row', { name: new RegExp(`^${badge} `) })
        .getByText(badge, { exact: true })
        .waitFor()
    }
    const expired = page.getByText('Expired keys').locator('..').locator('dd')
    await expect.poll(async () => Number(await expired.innerText())).toBeGreaterThan(0)
  })

  it('the secret of a new key is not lost by one press of Escape', async () => {
    const page = await openPage('/operate/keys')
    await showKeys(page)
    await fillApplication(page, `Escaped ${crypto.randomUUID()}`)
    await page.getByText('Copy the secret now').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('The secret cannot be shown again').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('the table is saved as CSV, in which the name of a key is not a formula', async () => {
    const page = await openPage('/operate/keys')
    await showKeys(page)
    const id = crypto.randomUUID()
    const formula = `=1+1,"${id}"`
    await issue(page, formula)
    await page.getByRole('row', { name: formula }).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(/^agio-keys-\d{4}-\d{2}\.csv$/)
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFFId,Prefix,Name,/)
    expect(lines.some((line) => line.includes(`,"'=1+1,""${id}""",`))).toBe(true)
  })

  it('the keys are listed, sorted and selected by the keyboard', async () => {
    const page = await openPage('/operate/keys')
    await showKeys(page)
    const table = page.getByRole('region', { name: /^Keys and their usage in/ })
    const byName = table.getByRole('columnheader', { name: 'Name' })
    await byName.getByRole('button').press('Enter')
    expect(await byName.getAttribute('aria-sort')).toBe('ascending')
    await table.getByRole('button', { name: 'local-standard-key' }).press('Enter')
    await page
      .getByRole('region', { name: 'local-standard-key', exact: true })
      .getByText('key_local_standard')
      .waitFor()
  })
})

async function fillApplication(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create an API key' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Email').fill('dev@shop.example')
  await dialog.getByLabel('Use', { exact: true }).fill('tests')
  await dialog.getByLabel('Expected volume').fill('a few')
  await dialog.getByRole('button', { name: 'Create' }).click()
}

async function issue(page: Page, name: string): Promise<string> {
  await fillApplication(page, name)
  return await readSecret(page)
}

async function callWith(key: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/chains`, { headers: { 'x-api-key': key } })
  await response.body?.cancel()
  return response.status
}
