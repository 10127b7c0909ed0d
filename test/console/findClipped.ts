import type { Page } from 'playwright-core'

/** Finds elements that reach beyond the sides of the page, and text that its box cuts off; one line for each. */
export async function findClipped(page: Page): Promise<readonly string[]> {
  return (await page.locator('body').evaluate(listClipped)) as readonly string[]
}

/** Runs in the page. */
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
