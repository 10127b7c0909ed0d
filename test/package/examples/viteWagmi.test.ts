import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Address } from '@agio/core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createAgio } from '../../../packages/sdk/src/index.ts'
import { readBalance } from '../../harness/readBalance.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { eventually } from '../../harness/timeLimits.ts'
import { promptsOf } from '../../harness/walletRequests.ts'
import { describeWith } from '../../harness/findServices.ts'
import { launchChromium } from '../../console/launchChromium.ts'
import { openPage } from '../../console/openPage.ts'
import type { Project } from '../createProject.ts'
import { run, runOrThrow } from '../run.ts'
import { buildWallet, createExample } from './createExample.ts'
import { startPageServer, type PageServer } from './startPageServer.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { apiKey, chains } = target
const chain = chains[84532]
const tokenOf = (symbol: string) => chain.tokens[symbol] as Address

const describeInBrowser = await describeWith(['Chromium'], 'the example for web pages in a browser')

/** The versions that a page may use. `.ci/run` tests the first. */
const versions = [
  { name: 'React 19 and wagmi 3', dependencies: [] },
  {
    name: 'React 18 and wagmi 2',
    dependencies: ['react', 'react-dom', '@types/react', '@types/react-dom', 'wagmi'].map((name, at) => {
      return `${name}@${['18.3.1', '18.3.1', '18.3.32', '18.3.7', '2.19.5'][at]}`
    }),
  },
]

describe.skipIf(!inject('isOnline')).each(versions)('the example for web pages with $name', ({ dependencies }) => {
  let project: Project
  let server: PageServer
  const runTool = (path: string, args: readonly string[] = []) =>
    run(process.execPath, [join(project.folder, 'node_modules', path), ...args], { cwd: project.folder })

  beforeAll(async () => {
    project = await createExample('vite-wagmi', ['@agio/react', ...dependencies])
    if (dependencies.length > 0) await useWagmi2(project.folder)
    expect(await runTool('vite/bin/vite.js', ['build'])).toMatchObject({ code: 0 })
    server = await startPageServer(project.folder)
  })

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await project?.[Symbol.asyncDispose]()
  })

  it('compiles, also the declarations of the packages', async () => {
    expect(await runTool('typescript/bin/tsc')).toMatchObject({ code: 0, stdout: '' })
    await writeFile(join(project.folder, 'src/types.ts'), "export * from '@agio/react'\n")
    const config = {
      extends: './tsconfig.json',
      compilerOptions: { skipLibCheck: false, types: [] },
      include: ['src/types.ts'],
    }
    await writeFile(join(project.folder, 'tsconfig.types.json'), JSON.stringify(config))
    expect(await runTool('typescript/bin/tsc', ['--project', 'tsconfig.types.json'])).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  it('is rendered on a server, where two providers with two keys stand beside each other', async () => {
    await writeFile(join(project.folder, 'render.mjs'), serverPage)
    const html = await runOrThrow(process.execPath, ['render.mjs'], { cwd: project.folder })
    expect(html.match(/Connect a wallet to convert/g)).toHaveLength(2)
  })

  it('builds pages that do not contain the key', async () => {
    const files = await readdir(join(project.folder, 'dist'), { recursive: true, withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile())) {
      expect(await readFile(join(file.parentPath, file.name), 'utf8'), file.name).not.toContain(apiKey)
    }
  })

  describe('the server that holds the key', () => {
    const post = (path: string, init: RequestInit = {}) =>
      fetch(`${server.origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        ...init,
      })
    const request = () =>
      ({ chainId: 84532, tokenIn: tokenOf('tAUD'), tokenOut: tokenOf('tUSD'), amountIn: '100' }) as const

    it('serves the pages, and lets them quote without a key', async () => {
      expect(await (await fetch(server.origin)).text()).toContain('<div id="root">')
      const agio = createAgio({ url: `${server.origin}/agio` })
      expect(await agio.quote(request())).toMatchObject({ amountOut: '65.087440' })
    })

    it('passes on the errors of the service', async () => {
      const agio = createAgio({ url: `${server.origin}/agio` })
      const quoting = agio.quote({ ...request(), amountIn: '900000000' })
      await expect(quoting).rejects.toMatchObject({ code: 'svc/above-max-origin' })
    })

    it.each([
      '/agio/trpc/transaction.broadcast',
      '/agio/trpc/admin.keys.list',
      '/agio/trpc/convert.quote,chains.list?batch=1',
      '/agio/trpc/convert.quote%2Cchains.list?batch=1',
      '/agio/trpc/..%2Fapi%2Fv1%2Fchains',
      '/agio/api/v1/chains',
    ])('error: 404 for %s, which a conversion does not call', async (path) => {
      expect((await post(path)).status).toBe(404)
    })

    it('error: 404 for a GET, which other sites can link to', async () => {
      expect((await fetch(`${server.origin}/agio/trpc/chains.list`)).status).toBe(404)
    })

    it('error: 403 for a form of another site, and no other site may read what it returns', async () => {
      const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }
      expect((await post('/agio/trpc/chains.list', { headers })).status).toBe(403)
      const preflight = { method: 'OPTIONS', headers: { origin: 'https://other.example' }, body: null }
      expect((await post('/agio/trpc/chains.list', preflight)).headers.has('access-control-allow-origin')).toBe(false)
    })

    it('error: 413 for a body over 64 KiB', async () => {
      expect((await post('/agio/trpc/convert.quote', { body: 'x'.repeat(65 * 1024) })).status).toBe(413)
    })

    it('error: 429 with Retry-After above the limit of an address', async () => {
      await using limited = await startPageServer(project.folder, { REQUESTS_PER_MINUTE: '3' })
      const agio = createAgio({ url: `${limited.origin}/agio` })
      for (let count = 0; count < 3; count++) await agio.api.chains.list.query()
      await expect(agio.api.chains.list.query()).rejects.toMatchObject({
        code: 'network/unreachable',
        status: 429,
        retryAfterSeconds: 60,
      })
    })

    it('error: 502 while the service cannot be reached', async () => {
      await using lonely = await startPageServer(project.folder, { AGIO_URL: 'http://127.0.0.1:9' })
      const agio = createAgio({ url: `${lonely.origin}/agio`, maxRetries: 0 })
      await expect(agio.api.chains.list.query()).rejects.toMatchObject({ code: 'network/unreachable', status: 502 })
    })
  })

  describeInBrowser('a page in Chromium', () => {
    let browser: Browser
    let walletScript: string

    beforeAll(async () => {
      walletScript = await buildWallet(project.folder)
      browser = await launchChromium()
    })

    afterAll(() => browser?.close())

    describe.each([
      { name: 'the page with hooks', path: '/' },
      { name: 'the page with the element', path: '/plain.html' },
    ])('$name', ({ path }) => {
      /** Opens the page with a new wallet, and connects it. */
      async function open(holding: Readonly<Record<string, string>>) {
        const wallet = await createFundedWallet(chains, { chainId: chain.chainId, holding })
        const opened = await openPage(browser, {
          url: `${server.origin}${path}`,
          origins: [server.origin],
          wallet,
          prepare: (context) => context.addInitScript({ path: walletScript }),
        })
        onTestFinished(() => opened[Symbol.asyncDispose]())
        const { page } = opened
        const press = (button: string | RegExp) => page.getByRole('button', { name: button }).click()
        const see = (text: string | RegExp) => page.getByText(text).first().waitFor()
        await press(/Test wallet$/)
        return { ...opened, wallet, press, see }
      }

      const balanceOf = (symbol: string, owner: Address) => readBalance(chain, tokenOf(symbol), owner)

      it('converts a token with permits by one signature and one transaction', async () => {
        const { wallet, press, see, errors, strayRequests } = await open({ tAUD: '100' })
        await see('65.087440')
        await press('Convert')
        await see('Received 65.08744 tUSD')
        expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'eth_signTypedData_v4', 'eth_sendTransaction'])
        expect(await balanceOf('tUSD', wallet.address)).toBe(65_087_440n)
        expect({ errors, strayRequests }).toEqual({ errors: [], strayRequests: [] })
      })

      it('shows no error for an empty amount, and says what an amount is', async () => {
        const { page, see, wallet } = await open({ tAUD: '100' })
        const field = page.locator('input').first()
        await see('65.087440')
        await field.fill('')
        await see('Enter an amount')
        await field.fill('1e9')
        await see(/such as 1000\.5|such as 1250\.50/)
        expect(promptsOf(wallet)).toEqual(['eth_requestAccounts'])
      })

      it.runIf(path === '/plain.html')(
        'has its styles under a strict policy, and without contracts says so and asks no wallet',
        async () => {
          const { page, see, wallet } = await open({ tAUD: '100' })
          const form = "document.querySelector('agio-convert').shadowRoot.querySelector('form')"
          expect(await page.evaluate(`getComputedStyle(${form}).borderRadius`)).toBe('12px')
          const bare = '<agio-convert url="/agio" chain-id="84532"></agio-convert>'
          await page.evaluate(`document.querySelector('agio-convert').outerHTML = '${bare}'`)
          await see('<agio-convert> needs contracts')
          expect(await page.getByRole('button').count()).toBe(0)
          expect(promptsOf(wallet)).toEqual(['eth_requestAccounts'])
        },
      )

      it('converts to the token that the user chooses', async () => {
        const { wallet, page, press, see } = await open({ tAUD: '100' })
        await page.locator('select').last().selectOption('tEUR')
        await press('Convert')
        await see(/Received \d+\.\d+ tEUR/)
        expect(await balanceOf('tAUD', wallet.address)).toBe(0n)
        expect(await balanceOf('tEUR', wallet.address)).toBeGreaterThan(0n)
      })

      it('says that the user refused, and that the request was not sent', async () => {
        const { wallet, press, see } = await open({ tAUD: '100' })
        wallet.answer(({ method }) => (method === 'eth_sendTransaction' ? 'reject' : 'confirm'))
        await press('Convert')
        await see('Rejected in wallet. Nothing was sent.')
        expect(await balanceOf('tAUD', wallet.address)).toBe(100_000_000n)
      })

      it('shows the conversion of another tab, and asks the wallet once', async () => {
        const { wallet, page, press, see } = await open({ tAUD: '100' })
        const { promise: decision, resolve: confirm } = Promise.withResolvers<'confirm'>()
        wallet.answer(({ method }) => (method === 'eth_sendTransaction' ? decision : 'confirm'))
        await press('Convert')
        await see('Confirm in your wallet: Convert tAUD to tUSD')
        const second = await page.context().newPage()
        await second.goto(page.url())
        await second.getByText('This conversion runs in another tab').waitFor()
        confirm('confirm')
        for (const tab of [page, second]) await tab.getByText('Received 65.08744 tUSD').waitFor()
        expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'eth_signTypedData_v4', 'eth_sendTransaction'])
      })

      it('goes on after a reload while the wallet shows the conversion, and converts once', async () => {
        const { wallet, page, press, see, errors } = await open({ tAUD: '200' })
        const { promise: decision, resolve: confirm } = Promise.withResolvers<'confirm'>()
        wallet.answer(({ method }) => (method === 'eth_sendTransaction' ? decision : 'confirm'))
        await press('Convert')
        await see('Confirm in your wallet: Convert tAUD to tUSD')
        // The step is stored and shown before the wallet is asked.
        await vi.waitUntil(() => promptsOf(wallet).at(-1) === 'eth_sendTransaction', eventually)
        await page.reload()
        confirm('confirm')
        wallet.answer('confirm')
        // The page connects to the wallet of the last visit, and follows the conversion without a click.
        await see('Received 65.08744 tUSD')
        expect(await balanceOf('tUSD', wallet.address)).toBe(65_087_440n)
        expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'eth_signTypedData_v4', 'eth_sendTransaction'])
        expect(errors).toEqual([])
      })
    })
  })
})

/** A page for a server, without a browser around it. */
const serverPage = `
import { AgioConvert, AgioProvider } from '@agio/react'
import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'

const provider = (apiKey) =>
  h(AgioProvider, { url: 'https://agio.example', apiKey, name: apiKey, contracts: 'service' }, h(AgioConvert, { chainId: 84532 }))
console.log(renderToString([provider('one'), provider('two')].map((each, key) => h('div', { key }, each))))
`

/** Changes the name of the function that wagmi 3 has renamed. */
async function useWagmi2(folder: string): Promise<void> {
  const file = join(folder, 'src/main.tsx')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('{ mutate: connect }', '{ connect }'))
}
