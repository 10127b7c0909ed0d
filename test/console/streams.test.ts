import { expect, inject, it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { enter } from './convertFlow.ts'
import { createBrowserWallet } from './createBrowserWallet.ts'
import { describeConsole } from './describeConsole.ts'
import type { OpenConsole } from './openConsole.ts'
import { showTab } from './showTab.ts'

await describeConsole('streams of the console', (open) => {
  it('all tabs share one stream, and another tab takes over when the one that has it closes', async () => {
    const first = await open({ path: '/pools' })
    await expect.poll(() => countOpen(first), eventually).toBe(1)
    const second = await first.context.newPage()
    await second.goto(`${inject('stack').url}/console/pools`)
    await second.getByRole('heading', { name: 'Pools' }).first().waitFor()
    const watched = listStreams(first).length
    await expect.poll(() => countOpen(first), eventually).toBe(1)
    await first.page.close()
    await expect.poll(() => listStreams(first).length, eventually).toBeGreaterThan(watched)
    expect(listStreams(first).at(-1)).toMatchObject({ isOver: false })
  })

  it('a quote that stays is kept up to date by a stream, which a page leaves when it is hidden', async () => {
    const opened = await open({ wallet: await createBrowserWallet() })
    const { page } = opened
    await enter(page, { from: 'tAUD', to: 'tUSD', pay: '100' })
    await page.getByText('Quote valid for').waitFor()
    await expect.poll(() => countOpen(opened), eventually).toBe(1)
    await showTab(page, false)
    await expect.poll(() => countOpen(opened), eventually).toBe(0)
  })
})

function listStreams({ listCalls }: OpenConsole) {
  return listCalls().filter(({ procedure }) => procedure === 'stream.watch')
}

function countOpen(opened: OpenConsole): number {
  return listStreams(opened).filter(({ isOver }) => !isOver).length
}
