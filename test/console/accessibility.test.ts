import { expect, it } from 'vitest'
import { describeConsole } from './describeConsole.ts'
import { findViolations } from './findViolations.ts'
import { showColors, showView, views } from './views.ts'

await describeConsole('the accessibility of the console', (open) => {
  it.each(views)('axe finds nothing in $name, in light and in dark', async (view) => {
    const page = await showView(open, view)
    for (const colorScheme of ['light', 'dark'] as const) {
      await showColors(page, colorScheme)
      expect(await findViolations(page), colorScheme).toEqual([])
    }
  })
})
