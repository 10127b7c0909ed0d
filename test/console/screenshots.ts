import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Where screenshots are written: kept as they are of each run, compared with none. */
export const screenshotsFolder =
  process.env['SCREENSHOTS_DIR'] ?? fileURLToPath(new URL('screenshots', import.meta.url))

/** The path of a screenshot by its name, which may be the title of a test. */
export function toScreenshotPath(name: string): string {
  return join(screenshotsFolder, `${name.replaceAll(/[^\w/-]+/g, '-').slice(0, 100)}.png`)
}
