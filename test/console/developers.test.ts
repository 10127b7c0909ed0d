import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { runOrThrow } from '../package/run.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeConsole } from './describeConsole.ts'
import { findViolations } from './findViolations.ts'
import { startConsoleStack } from './startConsoleStack.ts'

const calls = '/build/calls'
const faults = '/build/faults'
const health = '/operate/health'

await describeConsole('the page for developers', (open) => {
  const stack = setUp(startConsoleStack)

  it('shows a call as a command that makes it, as code, and its response, without the key', async () => {
    const { page } = await open({ path: calls })
    await page.getByRole('button', { name: 'List the networks' }).click()
    await page.getByRole('radio', { name: /^chains\.list 200/ }).waitFor()
    const command = await codeOf(page, 'curl')
    const answer = await runOrThrow('sh', ['-c', command], { cwd: '.', env: { AGIO_API_KEY: 'local-key' } })
    expect(JSON.parse(answer)).toMatchObject({ success: true })
    expect(await codeOf(page, 'SDK code')).toContain('agio.api.chains.list.query()')
    expect(JSON.parse(await codeOf(page, 'Response'))).toEqual(JSON.parse(await codeOf(page, 'Raw response')))
    expect(await page.getByRole('main').innerText()).not.toMatch(/local-(admin-)?key/)
    expect(await findViolations(page)).toEqual([])
  })

  it('shows the command that installs the SDK of the stack into an empty folder, as do the documents', async () => {
    const { page } = await open({ path: calls })
    const { origin } = new URL(page.url())
    const command = `npm install ${origin}/downloads/agio-sdk.tgz`
    await page.getByText(command, { exact: true }).waitFor()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'agio-install-'))
    const cwd = folder.path
    await writeFile(join(cwd, 'package.json'), '{ "type": "module" }')
    await runOrThrow('sh', ['-c', `${command} --no-audit --no-fund`], { cwd })
    const program = `
      import { createAgio } from '@agio/sdk'
      const { chains } = await createAgio({ url: '${origin}', apiKey: 'local-key' }).api.chains.list.query()
      console.log(chains.length)`
    expect(await runOrThrow(process.execPath, ['--input-type=module', '--eval', program], { cwd })).toBe('2\n')
    for (const document of ['README.md', 'docs/sdk/README.md']) {
      const text = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8')
      expect(text, document).toContain(`${command.replace(origin, 'http://127.0.0.1:3000')} viem\n`)
    }
  })

  it('the keyboard is enough to make a call, select another one, filter them and clear the list', async () => {
    const { page } = await open({ path: '/pools' })
    await expect.poll(() => page.locator('[class*="skeleton"]').count(), eventually).toBe(0)
    await page.getByRole('link', { name: 'Build', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'API calls' }).press('Enter')
    const listed = page.getByRole('radio')
    // Without earlier calls of the page.
    const makeCall = page.getByRole('button', { name: 'List the networks' })
    await listed.or(makeCall).first().waitFor()
    if (await makeCall.isVisible()) await makeCall.press('Enter')
    await listed.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator(':checked:focus').count(), eventually).toBe(1)
    await page.getByRole('tab', { name: 'curl' }).focus()
    for (const name of ['SDK code', 'Response', 'Raw response', 'curl']) {
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => focusedName(page), eventually).toBe(name)
      expect(await page.getByRole('tab', { name, exact: true }).getAttribute('aria-selected')).toBe('true')
    }
    await page.getByLabel('Procedure').focus()
    await page.keyboard.press('End')
    const chosen = await page.getByLabel('Procedure').inputValue()
    const procedures = async () => new Set(await page.locator('label code').allInnerTexts())
    await expect.poll(procedures, eventually).toEqual(new Set([chosen]))
    await page.getByRole('button', { name: 'Clear' }).press('Enter')
    await expect.poll(() => listed.count(), eventually).toBe(0)
    expect(await focusedName(page)).toBe('Clear')
  })

  it('turns a fault on, shows where it is active and what callers get, and resets it', async () => {
    const { page } = await open({ path: faults, stack })
    const scenario = page.getByRole('form', { name: 'stale-price' })
    await scenario.getByLabel('symbol').selectOption('tAUD')
    await scenario.getByRole('button', { name: 'Turn on' }).click()
    await scenario.getByText('Base Sepolia, symbol tAUD').waitFor()
    await scenario.getByText(/^Done: callers see it from block \d+ on\.$/).waitFor()
    const documentation = await scenario.getByRole('link', { name: 'svc/stale-price' }).getAttribute('href')
    const [document = '', anchor = ''] = (documentation ?? '').split('#')
    expect(await (await fetch(`${stack.url}${document}`)).text()).toContain(`id="${anchor}"`)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Reset everything' }).click()
    await page.getByText('No fault is active.').waitFor()
    await scenario.getByText('Base Sepolia, symbol tAUD').waitFor({ state: 'detached' })
  })

  it('turns one fault off, and leaves the others', async () => {
    const { page } = await open({ path: faults, stack })
    await stack.run('pool-frozen')
    await stack.run('price-move', { symbol: 'tAUD', percent: 5 })
    const scenario = page.getByRole('form', { name: 'pool-frozen' })
    await scenario.getByRole('button', { name: 'Turn off' }).click()
    await scenario.getByRole('button', { name: 'Turn off' }).waitFor({ state: 'detached' })
    expect(stack.listChains()[0]?.active).toMatchObject([{ scenario: 'price-move' }])
    await page.getByRole('form', { name: 'price-move' }).getByRole('button', { name: 'Turn off' }).waitFor()
    await stack.reset()
  })

  it('shows a fault that was injected elsewhere, and the health and the blocks as they change', async () => {
    const { page } = await open({ path: health, stack })
    const chain = page.getByRole('region', { name: 'Base Sepolia' })
    await chain.getByText('The node answered the last poll').waitFor()
    const blocks = chain.getByRole('table').getByRole('row')
    await expect.poll(() => blocks.count(), eventually).toBeGreaterThan(2)
    await stack.run('rpc-down')
    await chain
      .getByText('degraded')
      .or(chain.getByText('unreachable', { exact: true }))
      .waitFor()
    await page.goto(`${stack.url}/console${faults}`)
    await page.getByRole('form', { name: 'rpc-down' }).getByText('On', { exact: true }).waitFor()
    await stack.reset()
    await page.goto(`${stack.url}/console${health}`)
    await chain.getByText('The node answered the last poll').waitFor()
  })

  it('explains why a fault was not injected', async () => {
    const { page } = await open({ path: faults, stack, faults: true })
    await stack.run('no-mining')
    await page.getByRole('form', { name: 'dry-faucet' }).getByRole('button').click()
    await page.getByRole('alert').getByText('mining is stopped').waitFor()
    await page.getByRole('form', { name: 'mine' }).getByRole('button', { name: 'Run mine' }).click()
    await page.getByText(/^Done/).waitFor()
    await stack.reset()
  })

  it('says that the service cannot be reached, and goes on once it can', async () => {
    const { page } = await open({ path: health, stack, faults: true })
    await page.getByRole('region', { name: 'Service' }).getByText('ok').first().waitFor()
    await stack.stopService()
    await page.getByRole('alert').getByText('The service cannot be reached').first().waitFor()
    await page.getByText('Showing the last known state').waitFor()
    expect(await findViolations(page)).toEqual([])
    await stack.restartService()
    await page.getByText('Showing the last known state').waitFor({ state: 'detached' })
  })

  it('of a service that is not local it says where scenarios are', async () => {
    const { page } = await open({ path: faults })
    await removeLocalSettings(page)
    await page.reload()
    await page.getByText('npx -y pnpm@12 start').waitFor()
    expect(await page.getByRole('form').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
  })
})

async function codeOf(page: Page, tab: string): Promise<string> {
  await page.getByRole('tab', { name: tab, exact: true }).click()
  return await page.getByRole('tabpanel').locator('pre').innerText()
}

async function focusedName(page: Page): Promise<string> {
  return await page.locator(':focus').innerText()
}

/** Makes the page, when it is loaded next, one of a service that is not part of a local stack. */
async function removeLocalSettings(page: Page): Promise<void> {
  await page.route(/\/console\/build/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      /(<script[^>]*id="settings"[^>]*>)([^<]*)/,
      (_, tag: string, json: string) => {
        const { local: __, ...settings } = JSON.parse(json) as Record<string, unknown>
        return `${tag}${JSON.stringify(settings)}`
      },
    )
    await route.fulfill({ response, body })
  })
}
