import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Finds what axe objects to in the page as it is shown, by its rules and its best practices; one line for each element. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // Colours that change to those of another theme do so by a transition. Animations of what is loading never end.
  await page.evaluate(
    `Promise.all(document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished))`,
  )
  await page.evaluate(axe.source)
  // This rule of WCAG 2.2 is off by default.
  const options = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  )
}
