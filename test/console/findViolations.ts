import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Lists what axe reports for the visible page, by its rules and its best practices; one line for each element. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // Colours on their way to others have less contrast than either. With reduced motion, pages have no transitions.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(axe.source)
  // This rule of WCAG 2.2 is off by default.
  const options = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  )
}
