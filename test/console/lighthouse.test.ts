import lighthouse from 'lighthouse'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { describeWith } from '../harness/findServices.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { launchChromium } from './launchChromium.ts'

const build = ['requests', 'key', 'webhooks', 'calls', 'faults'].map((name) => `/console/build/${name}`)
const operate = ['keys', 'requests', 'audit', 'quotes', 'health'].map((name) => `/console/operate/${name}`)
const convert = ['/console', '/console/receipt', '/console/pools']

const onlyCategories = ['performance', 'accessibility', 'best-practices'] as const
const leastScore = 90
// The simulation of a phone starts from a measured load, which other programs slow down.
const maxLoads = 3

const describeInBrowser = await describeWith(['Chromium'], 'the scores of Lighthouse')

describeInBrowser('the scores of Lighthouse for a phone', () => {
  let browser: Browser
  let port: number
  const table: Record<string, Scores> = {}

  beforeAll(async () => {
    port = await findFreePort()
    browser = await launchChromium([`--remote-debugging-port=${port}`])
  })

  afterAll(async () => {
    console.table(table)
    await browser?.close()
  })

  it.each([...convert, ...build, ...operate, '/docs', '/docs/guide/webhooks', '/docs/errors'])(
    `%s has at least ${leastScore} in speed, accessibility and best practices`,
    async (path) => {
      let best: Scores = {}
      for (let load = 0; load < maxLoads && (best['performance'] ?? 0) < leastScore; load++) {
        const scores = await measure(`${inject('stack').url}${path}`, port)
        if ((scores['performance'] ?? 0) >= (best['performance'] ?? 0)) best = scores
      }
      table[path] = best
      for (const category of onlyCategories) expect(best[category], category).toBeGreaterThanOrEqual(leastScore)
    },
  )
})

type Scores = { readonly [category: string]: number }

/** Loads a page as on a slow phone, and returns its scores from 0 to 100. */
async function measure(url: string, port: number): Promise<Scores> {
  const result = await lighthouse(url, {
    port,
    onlyCategories: [...onlyCategories],
    formFactor: 'mobile',
    throttlingMethod: 'simulate',
    logLevel: 'silent',
  })
  if (!result) throw new Error(`Cannot measure ${url}: Lighthouse has no result`)
  const { categories } = result.lhr
  return Object.fromEntries(
    Object.entries(categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
  )
}
