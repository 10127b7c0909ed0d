import { chromium, type Browser } from 'playwright-core'
import { findChromium } from '../harness/findChromium.ts'

// Without a sandbox, which a container has no rights for, and without requests of the browser itself.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Starts Chromium without a window, perhaps with more arguments. @throws `Error` if it is not installed */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = await findChromium()
  if (executablePath === undefined) throw new Error('Cannot test in a browser: Chromium is not installed')
  return await chromium.launch({ executablePath, args: [...args, ...more] })
}
