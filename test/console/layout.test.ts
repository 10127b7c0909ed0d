import { expect, it } from 'vitest'
import { describeConsole } from './describeConsole.ts'
import { findClipped } from './findClipped.ts'
import { showView, views } from './views.ts'

await describeConsole('the layout of the console', (open) => {
  it.each(views)('nothing of $name is cut off or beyond the sides, from 360 px to 4K', async (view) => {
    const page = await showView(open, view)
    for (const width of [360, 768, 1280, 3840]) {
      await page.setViewportSize({ width, height: 900 })
      // A chart is drawn anew for its width after the page has been laid out.
      await expect.poll(() => findClipped(page), { message: `${width} px` }).toEqual([])
    }
  })
})
