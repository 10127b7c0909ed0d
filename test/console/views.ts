import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import type { openConsole, OpenConsole } from './openConsole.ts'

const documents = ['/docs', '/docs/guide/webhooks', '/docs/errors', '/docs/develop/console']

/** What the console and its documentation can show, each with the path that it is opened at and what a user does there. */
export const views: readonly View[] = [
  ...documents.map((root) => ({ name: root.slice(1).replaceAll('/', '-'), root, path: '' })),
  { name: 'convert-empty', path: '' },
  {
    name: 'connect-wallet',
    path: '',
    async show(page) {
      await page.getByRole('button', { name: 'Test wallet' }).click()
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
      await page.getByRole('dialog', { name: 'Connect wallet' }).waitFor()
    },
  },
  {
    name: 'choose-token',
    path: '',
    async show(page) {
      await page.getByRole('button', { name: /^Token to pay: t/ }).click()
      await page.getByRole('listbox').waitFor()
    },
  },
  { name: 'receipt-empty', path: '/receipt' },
  { name: 'pools', path: '/pools' },
  { name: 'key', path: '/build/key' },
  {
    name: 'no-key',
    path: '/build/key',
    show: (page) => page.getByRole('button', { name: 'Forget the key' }).click(),
  },
  {
    name: 'requests',
    path: '/build/requests',
    async show(page) {
      await page
        .getByRole('button', { name: /^Show the request/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Copy the request id' }).waitFor()
    },
  },
  { name: 'webhooks', path: '/build/webhooks', show: showWebhook },
  {
    name: 'new-webhook',
    path: '/build/webhooks',
    async show(page) {
      await page.getByRole('button', { name: 'Create webhook' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'calls',
    path: '/build/calls',
    async show(page) {
      await page.getByRole('button', { name: 'List the networks' }).click()
      await page.getByRole('radio', { name: /^chains\.list 200/ }).waitFor()
      await page.getByRole('tab', { name: 'Response', exact: true }).click()
    },
  },
  { name: 'faults', path: '/build/faults' },
  { name: 'keys', path: '/operate/keys', show: showKeys },
  {
    name: 'new-key',
    path: '/operate/keys',
    async show(page) {
      await showKeys(page)
      await page.getByRole('button', { name: 'Create API key' }).click()
      await page.getByRole('dialog').getByLabel('Tier').selectOption('production')
    },
  },
  {
    name: 'revoke-key',
    path: '/operate/keys',
    async show(page) {
      await showKeys(page)
      await page.getByRole('button', { name: 'Revoke', exact: true }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'all-requests', path: '/operate/requests', show: enterAdminKey },
  {
    name: 'audit',
    path: '/operate/audit',
    async show(page) {
      await enterAdminKey(page)
      await page.getByRole('button', { name: 'Verify the log' }).click()
      await page.getByText(/^The log is complete/).waitFor()
    },
  },
  { name: 'quotes', path: '/operate/quotes', show: enterAdminKey },
  {
    name: 'health',
    path: '/operate/keys',
    async show(page) {
      await enterAdminKey(page)
      await page.getByRole('link', { name: 'Health' }).click()
      await page.getByText('Healthy').first().waitFor()
    },
  },
  {
    name: 'search',
    path: '',
    async show(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Page, request id/ }).waitFor()
    },
  },
  { name: 'no-page', path: '/nothing-here' },
]

export type View = {
  /** Of its screenshots. */
  readonly name: string
  readonly root?: string
  readonly path: string
  /** Leads from the opened page to the view. */
  readonly show?: (page: Page) => Promise<void>
}

/** Opens the console and leads it to a view. */
export async function showView(
  open: (options: openConsole.Options) => Promise<OpenConsole>,
  { show, name: _, ...place }: View,
): Promise<Page> {
  const { page } = await open({ ...place, reducedMotion: 'reduce' })
  await waitUntilLoaded(page)
  await show?.(page)
  return page
}

/** Enters the admin key of the stack. */
export async function enterAdminKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use the local admin key' }).click()
  await page.getByRole('button', { name: 'Forget the admin key' }).waitFor()
  await waitUntilLoaded(page)
}

/** Enters an API key instead of the key of the page. */
export async function enterApiKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByRole('textbox', { name: 'API key' }).fill(key)
  await page.getByRole('button', { name: 'Use this key' }).click()
}

/** Returns the secret that a dialogue shows once, and closes the dialogue. */
export async function readSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: /ecret of/ })
  const secret = await dialog.locator('code').innerText()
  expect(secret).toMatch(/^(agio_sk_[0-9A-Za-z]{57}|whsec_\S+)$/)
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

/** Enters the admin key of the stack, and waits until the page lists the keys. */
export async function showKeys(page: Page): Promise<void> {
  await enterAdminKey(page)
  await page.getByRole('region', { name: /^Keys and their usage in/ }).waitFor()
  await waitUntilLoaded(page)
}

/** Creates a webhook unless there is one, and sends it a test event. */
async function showWebhook(page: Page): Promise<void> {
  const test = page.getByRole('button', { name: 'Send test event' })
  if (!(await test.isVisible())) {
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByLabel('URL of the receiver').fill('http://127.0.0.1:4000/webhooks')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
  }
  await test.click()
  await page.getByRole('cell', { name: 'Pending' }).first().waitFor()
}

/** Waits until a page shows what it has to load. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('main').locator('> *').first().waitFor()
  await expect.poll(() => page.locator('[class*="skeleton"]').count(), eventually).toBe(0)
}
