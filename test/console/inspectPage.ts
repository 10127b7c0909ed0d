import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findViolations } from './findViolations.ts'
import { toScreenshotPath } from './screenshots.ts'

/**
 * Asserts that axe finds nothing in a page, in light and in dark, and that nothing of it is cut off or beyond its sides, from
 * 320 to 2,560 px. It keeps screenshots of the page.
 */
export async function inspectPage(page: Page, name: string): Promise<void> {
  await inspectColors(page, name)
  for (const width of [320, 768, 1280, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    // A chart is drawn anew for its width after the page has been laid out.
    const findClipped = () => page.locator('body').evaluate(listClipped)
    await expect.poll(findClipped, { message: `${name}, ${width} px` }).toEqual([])
  }
}

/** Asserts that axe finds nothing in a page, in light and in dark, and keeps screenshots of both. */
export async function inspectColors(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await showColors(page, colorScheme)
    expect(await findViolations(page), `${name}, ${colorScheme}`).toEqual([])
    await page.screenshot({ path: toScreenshotPath(`${name}-${colorScheme}`) })
  }
}

/** Shows a page in the colours of light or dark, without the transition between them. */
async function showColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(
    'Promise.all(document.getAnimations().map((animation) => animation.effect.getComputedTiming().endTime < Infinity && animation.finish()))',
  )
}

/** Lists elements that reach beyond the sides of the page, and text that its box cuts off. Runs in the page. */
function listClipped(body: Element): string[] {
  const { defaultView: view, documentElement: root } = body.ownerDocument
  const hides = (element: Element) => view.getComputedStyle(element).overflowX !== 'visible'
  const isInScrolled = ({ parentElement: parent }: Element): boolean =>
    parent !== null && parent !== body && (hides(parent) || isInScrolled(parent))
  const toName = ({ tagName, className, textContent }: Element) =>
    `${tagName}.${String(className)} "${textContent.slice(0, 40)}"`
  const found = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : []
  for (const element of body.querySelectorAll('*')) {
    const { left, right, width, height } = element.getBoundingClientRect()
    // Text for screen readers only has one pixel.
    if (width <= 1 || height <= 1) continue
    const isBeyond = left < -1 || right > root.clientWidth + 1
    if (isBeyond && !isInScrolled(element)) found.push(`beyond the side: ${toName(element)}`)
    const { overflowX, textOverflow } = view.getComputedStyle(element)
    const isCut = ['hidden', 'clip'].includes(overflowX) && element.scrollWidth > element.clientWidth + 1
    if (isCut && textOverflow !== 'ellipsis') found.push(`cut off: ${toName(element)}`)
  }
  return found
}

/** The used part of an element. Its types are declared by browsers. */
type Element = {
  readonly ownerDocument: {
    readonly documentElement: Element
    readonly defaultView: {
      getComputedStyle(element: Element): { readonly overflowX: string; readonly textOverflow: string }
    }
  }
  readonly parentElement: Element | null
  readonly tagName: string
  readonly className: unknown
  readonly textContent: string
  readonly scrollWidth: number
  readonly clientWidth: number
  getBoundingClientRect(): Readonly<Record<'left' | 'right' | 'width' | 'height', number>>
  querySelectorAll(selector: string): Iterable<Element>
}
