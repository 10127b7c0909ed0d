import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { conversionsIn, enter, pressConvert, shownConversions } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import { findViolations } from './findViolations.ts'
import { holdPrompt } from './holdPrompt.ts'
import { toScreenshotPath } from './screenshots.ts'
import { showView, views } from './views.ts'

const phone = { width: 360, height: 740 }

await describeConsole('the places of what the console shows', (open) => {
  it('the quote keeps its place while a conversion runs and when it is done', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    const quote = page.getByRole('region', { name: 'Quote' })
    await page.getByText(/^Quote valid for/).waitFor()
    const before = await readBox(quote)
    const held = holdPrompt(wallet, 1)
    await pressConvert(page)
    await held.shown()
    await shownConversions(page).first().waitFor()
    await expect.poll(() => readBox(quote), eventually).toEqual(before)
    held.answer('confirm')
    await conversionsIn(page, 'Done').waitFor()
    await expect.poll(() => readBox(quote), eventually).toEqual(before)
  })

  it('a page does not move sideways when its content outgrows the window', async () => {
    const { page } = await open({})
    expect(await page.evaluate('getComputedStyle(document.documentElement).scrollbarGutter')).toBe('stable')
  })

  it('on a phone the header is one row', async () => {
    const { page } = await open({ viewport: phone })
    const { height } = await readBox(page.getByRole('banner'))
    expect(height).toBeLessThan(72)
  })

  it('on a phone a conversion is in place of the form, then its result, then the form with a link to it', async () => {
    const wallet = await createBrowserWallet()
    const { page } = await open({ wallet, viewport: phone })
    const form = page.getByRole('form', { name: 'Convert' })
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    const held = holdPrompt(wallet, 1)
    await pressConvert(page)
    await held.shown()
    await form.waitFor({ state: 'hidden' })
    expect((await readBox(shownConversions(page).first())).y).toBeLessThan(phone.height / 2)
    expect(await page.getByRole('region', { name: 'Quote' }).isVisible()).toBe(false)
    held.answer('confirm')
    await conversionsIn(page, 'Done').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.screenshot({ path: toScreenshotPath('convert-phone') })
    await page.getByRole('button', { name: 'Convert again' }).click()
    await form.waitFor()
    // The focus moves after the form is drawn.
    await expect.poll(() => page.evaluate('document.activeElement.tagName'), eventually).toBe('INPUT')
    const isInWindow = async () => (await readBox(shownConversions(page).first())).y < phone.height
    expect(await isInWindow()).toBe(false)
    await page.getByRole('link', { name: 'Show the conversion' }).click()
    await expect.poll(isInWindow, eventually).toBe(true)
  })

  it('on a phone each table that is cut has a shadow where it continues', async () => {
    const view = views.find(({ name }) => name === 'keys')
    const page = await showView(open, view as (typeof views)[number])
    await page.setViewportSize(phone)
    const cut = `Array.from(document.querySelectorAll('table'), (table) => table.parentElement).filter((box) => box.scrollWidth > box.clientWidth)`
    const shadows = await page.evaluate<readonly string[]>(`${cut}.map((box) => getComputedStyle(box).backgroundImage)`)
    expect(shadows.length).toBeGreaterThan(0)
    for (const shadow of shadows) expect(shadow).toContain('gradient')
  })
})

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

async function readBox(part: Locator): Promise<Box> {
  const box = await part.boundingBox()
  if (!box) throw new Error('Cannot find the place of a part that is not shown')
  return box
}
