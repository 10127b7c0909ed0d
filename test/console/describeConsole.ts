import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchChromium } from './launchChromium.ts'
import { describeWith } from '../harness/findServices.ts'
import { openConsole, type OpenConsole } from './openConsole.ts'

/**
 * `describe` for tests of the console in one Chromium, which are skipped with a warning if Chromium is missing.
 *
 * @param title what is not tested without it
 * @param defineTests gets the function that opens the console, each time in its own browser context
 */
export async function describeConsole(title: string, defineTests: (open: Open) => void): Promise<void> {
  const describeInBrowser = await describeWith(['Chromium'], title)
  describeInBrowser(title, () => {
    let browser: Browser

    beforeAll(async () => {
      browser = await launchChromium()
    })

    afterAll(() => browser?.close())

    defineTests((options) => openConsole(browser, options ?? {}))
  })
}

type Open = (options?: openConsole.Options) => Promise<OpenConsole>
