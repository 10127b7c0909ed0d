import type { Page } from 'playwright-core'

/** Hides a tab or shows it again. */
export async function showTab(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperties(document, {
      visibilityState: { value: '${isShown ? 'visible' : 'hidden'}', configurable: true },
      hidden: { value: ${!isShown}, configurable: true },
    })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  `)
}
