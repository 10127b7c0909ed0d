import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { describeConsole } from './describeConsole.ts'

const budgetBytes = 170_000
// For the few clients that accept gzip only.
const gzipBudgetBytes = 176_000

await describeConsole('what the console loads at first', (open) => {
  it(`is under ${budgetBytes / 1000} kB in a browser, the test wallet of a local stack included`, async () => {
    const { page } = await open()
    await page.getByRole('heading', { level: 1 }).waitFor()
    // The page then has all that it loads at first. Its stream stays open.
    await page.getByRole('button', { name: 'Test wallet' }).waitFor()
    await page.getByText('Balance').first().waitFor()
    const files = await Promise.all((await listLoaded(page)).map(compress))
    console.table(files)
    // The browser requests a better compression than gzip.
    expect(sum(files.map(({ transferred }) => transferred))).toBeLessThan(budgetBytes)
    expect(sum(files.map(({ gzip }) => gzip))).toBeLessThan(gzipBudgetBytes)
    expect(files.map(({ path }) => path)).toContain('/console')
  })
})

type Loaded = { readonly path: string; readonly transferred: number }

/** Lists the files of the console that a page has loaded, with the bytes that came over the network, headers included. */
async function listLoaded(page: Page): Promise<readonly Loaded[]> {
  const script = `performance.getEntries().filter(({ transferSize }) => transferSize !== undefined)
    .map(({ name, transferSize }) => ({ path: new URL(name).pathname, transferred: transferSize }))`
  const loaded = await page.evaluate<readonly Loaded[]>(script)
  return loaded.filter(({ path }) => path.startsWith('/console'))
}

async function compress(file: Loaded) {
  const response = await fetch(`${inject('stack').url}${file.path}`)
  return { ...file, gzip: gzipSync(await response.bytes()).length }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
