import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import type { Address } from '@agio/core'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { launchChromium } from '../../console/launchChromium.ts'
import { openPage } from '../../console/openPage.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { findFreePort } from '../../harness/findFreePort.ts'
import { describeWith } from '../../harness/findServices.ts'
import { killOnExit } from '../../harness/killOnExit.ts'
import { readBalance } from '../../harness/readBalance.ts'
import { eventually } from '../../harness/timeLimits.ts'
import type { Project } from '../createProject.ts'
import { runOrThrow } from '../run.ts'
import { buildWallet, createExample } from './createExample.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const chain = target.chains[84532]

const describeInBrowser = await describeWith(['Chromium'], 'the example for Next.js in a browser')
const describeOnline = inject('isOnline') ? describeInBrowser : describe.skip

describeOnline('the example for Next.js', () => {
  let project: Project
  let origin: string
  let stop: () => Promise<void>

  beforeAll(async () => {
    project = await createExample('next', ['@agio/react'])
    const next = join(project.folder, 'node_modules/next/dist/bin/next')
    await runOrThrow(process.execPath, [next, 'build'], { cwd: project.folder, env: { NEXT_TELEMETRY_DISABLED: '1' } })
    const port = await findFreePort()
    origin = `http://127.0.0.1:${port}`
    const args = [next, 'start', '--hostname', '127.0.0.1', '--port', `${port}`]
    const child = spawn(process.execPath, args, { cwd: project.folder, stdio: 'ignore' })
    killOnExit(child)
    const exited = once(child, 'exit')
    stop = async () => {
      child.kill('SIGKILL')
      await exited
    }
    await vi.waitUntil(
      () =>
        fetch(origin).then(
          ({ ok }) => ok,
          () => false,
        ),
      eventually,
    )
  })

  afterAll(async () => {
    await stop?.()
    await project?.[Symbol.asyncDispose]()
  })

  it('renders the prices and the card on the server, without the key', async () => {
    const html = await (await fetch(origin)).text()
    expect(html).toContain('tAUD')
    expect(html).toContain('agio-convert')
    expect(html).not.toContain(target.apiKey)
  })

  it('error: 404 for an operation that a conversion does not call', async () => {
    expect((await fetch(`${origin}/agio/trpc/admin.keys.list`, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('converts in the browser', async () => {
    const wallet = await createFundedWallet(target.chains, { chainId: 84532, holding: { tAUD: '100' } })
    const script = await buildWallet(project.folder)
    const browser = await launchChromium()
    try {
      await using opened = await openPage(browser, {
        url: origin,
        origins: [origin],
        wallet,
        prepare: (context) => context.addInitScript({ path: script }),
      })
      await opened.page.getByRole('button', { name: 'Connect Test wallet' }).click()
      await opened.page.getByRole('button', { name: 'Convert' }).click()
      await opened.page.getByText('Received 65.08744 tUSD').waitFor()
      expect(await readBalance(chain, chain.tokens['tUSD'] as Address, wallet.address)).toBe(65_087_440n)
      expect(opened.errors).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
