import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Address } from '@agio/core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createAgio } from '../../../packages/sdk/src/index.ts'
import { readBalance } from '../../harness/readBalance.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { eventually } from '../../harness/timeLimits.ts'
import { killOnExit } from '../../harness/killOnExit.ts'
import { promptsOf } from '../../harness/walletRequests.ts'
import { describeWith } from '../../harness/findServices.ts'
import { launchChromium } from '../../console/launchChromium.ts'
import { openPage } from '../../console/openPage.ts'
import type { Project } from '../createProject.ts'
import { run, runOrThrow } from '../run.ts'
import { createExample } from './createExample.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { apiKey, chains } = target
const chain = chains[84532]
const tokenOf = (symbol: string) => chain.tokens[symbol] as Address

const describeInBrowser = await describeWith(['Chromium'], 'the example for web pages in a browser')

describe.skipIf(!inject('isOnline'))('the example for web pages', () => {
  let project: Project
  let server: PageServer
  const runTool = (path: string, args: readonly string[] = []) =>
    run(process.execPath, [join(project.folder, 'node_modules', path), ...args], { cwd: project.folder })

  beforeAll(async () => {
    project = await createExample('vite-wagmi')
    expect(await runTool('vite/bin/vite.js', ['build'])).toMatchObject({ code: 0 })
    server = await startPageServer(project.folder)
  })

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await project?.[Symbol.asyncDispose]()
  })

  it('compiles', async () => {
    expect(await runTool('typescript/bin/tsc')).toMatchObject({ code: 0, stdout: '' })
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
      { name: 'the page with wagmi', path: '/', connect: 'Connect Test wallet', goOn: 'Resume' },
      { name: 'the page without a framework', path: '/plain.html', connect: undefined, goOn: 'Convert' },
    ])('$name', ({ path, connect, goOn }) => {
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
        const press = (button: string) => page.getByRole('button', { name: button }).click()
        const see = (text: string | RegExp) => page.getByText(text).first().waitFor()
        if (connect !== undefined) {
          await press(connect)
          await see(wallet.address)
        }
        return { ...opened, wallet, press, see }
      }

      const balanceOf = (symbol: string, owner: Address) => readBalance(chain, tokenOf(symbol), owner)

      it('converts a token with permits by one signature and one transaction', async () => {
        const { wallet, press, see, errors, strayRequests } = await open({ tAUD: '100' })
        await see('You receive 65.087440 tUSD')
        await press('Convert')
        await see('Received 65.087440')
        expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'eth_signTypedData_v4', 'eth_sendTransaction'])
        expect(await balanceOf('tUSD', wallet.address)).toBe(65_087_440n)
        expect({ errors, strayRequests }).toEqual({ errors: [], strayRequests: [] })
      })

      it('converts to the token that the user chooses', async () => {
        const { wallet, page, press, see } = await open({ tAUD: '100' })
        await page.locator('select').nth(1).selectOption('tEUR')
        await see(/You receive \d+\.\d+ tEUR/)
        await press('Convert')
        await see('Received ')
        expect(await balanceOf('tAUD', wallet.address)).toBe(0n)
        expect(await balanceOf('tEUR', wallet.address)).toBeGreaterThan(0n)
      })

      it('says that the user refused, and that the request was not sent', async () => {
        const { wallet, press, see } = await open({ tAUD: '100' })
        wallet.answer(({ method }) => (method === 'eth_sendTransaction' ? 'reject' : 'confirm'))
        await see('You receive 65.087440 tUSD')
        await press('Convert')
        await see('You rejected the request in your wallet. It was not sent.')
        expect(await balanceOf('tAUD', wallet.address)).toBe(100_000_000n)
      })

      it('goes on after a reload while the wallet shows the conversion, and converts once', async () => {
        const { wallet, page, press, see, errors } = await open({ tAUD: '200' })
        const { promise: decision, resolve: confirm } = Promise.withResolvers<'confirm'>()
        wallet.answer(({ method }) => (method === 'eth_sendTransaction' ? decision : 'confirm'))
        await see('You receive 65.087440 tUSD')
        await press('Convert')
        await see('Confirm in your wallet: the conversion')
        // The step is stored and shown before the wallet is asked.
        await vi.waitUntil(() => promptsOf(wallet).at(-1) === 'eth_sendTransaction', eventually)
        // The button is pressed before the page has its tokens.
        const { promise: hasPressed, resolve: release } = Promise.withResolvers<void>()
        await page.route('**/agio/trpc/**', async (call) => void (await hasPressed, await call.continue()))
        await page.reload()
        confirm('confirm')
        wallet.answer('confirm')
        // wagmi connects to the wallet of the last visit.
        if (connect !== undefined) await see(wallet.address)
        const pressing = press(goOn)
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
        release()
        await pressing
        await see('Received 65.087440')
        expect(await balanceOf('tUSD', wallet.address)).toBe(65_087_440n)
        expect(promptsOf(wallet)).toEqual(['eth_requestAccounts', 'eth_signTypedData_v4', 'eth_sendTransaction'])
        expect(errors).toEqual([])
      })
    })
  })
})

/** Builds the script that announces a wallet to a page, and returns its path. */
async function buildWallet(folder: string): Promise<string> {
  const files = ['src/wallet.ts', 'vite.wallet.config.js']
  for (const file of files) await cp(new URL(`../projects/page/${file}`, import.meta.url), join(folder, file))
  const vite = join(folder, 'node_modules/vite/bin/vite.js')
  await runOrThrow(process.execPath, [vite, 'build', '--config', 'vite.wallet.config.js'], { cwd: folder })
  return join(folder, 'wallet/wallet.js')
}

/** Starts the server of the example for web pages, in a project where they are built, on a free port. */
async function startPageServer(folder: string, variables: Readonly<Record<string, string>> = {}): Promise<PageServer> {
  const env = { ...process.env, PORT: '0', ...variables }
  const child = spawn(process.execPath, ['server.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  killOnExit(child)
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const origin = /^ready at (\S+)$/.exec(line)?.[1]
    if (origin === undefined) continue
    return {
      origin,
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL')
        await exited
      },
    }
  }
  throw new Error('Cannot start the server of the example: it has ended')
}

type PageServer = AsyncDisposable & { readonly origin: string }
