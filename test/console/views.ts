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
  { name: 'receipt-empty', path: '/receipt' },
  { name: 'pools', path: '/pools' },
  { name: 'developers', path: '/developers' },
  {
    name: 'developers-call',
    path: '/developers',
    async show(page) {
      await page.getByRole('button', { name: 'List the networks' }).click()
      await page.getByRole('radio', { name: /^chains\.list 200/ }).waitFor()
      await page.getByRole('tab', { name: 'Response', exact: true }).click()
    },
  },
  { name: 'usage', path: '/usage' },
  {
    name: 'usage-no-key',
    path: '/usage',
    show: (page) => page.getByRole('button', { name: 'Forget the key' }).click(),
  },
  { name: 'keys', path: '/usage', show: showKeys },
  {
    name: 'issue-key',
    path: '/usage',
    async show(page) {
      await showKeys(page)
      await page.getByRole('button', { name: 'Create API key' }).click()
      await page.getByRole('dialog').getByLabel('Tier').selectOption('production')
    },
  },
  {
    name: 'revoke-key',
    path: '/usage',
    async show(page) {
      await showKeys(page)
      await page.getByRole('button', { name: 'Revoke', exact: true }).click()
      await page.getByRole('dialog').waitFor()
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

async function showKeys(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use the local admin key' }).click()
  await page.getByRole('region', { name: /^Keys and their usage in/ }).waitFor()
  await waitUntilLoaded(page)
}

/** Waits until a page shows what it has to load. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('main').locator('> *').first().waitFor()
  await expect.poll(() => page.locator('[class*="skeleton"]').count(), eventually).toBe(0)
}
