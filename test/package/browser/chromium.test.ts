import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import process from 'node:process'
import { Network } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import type { Browser } from 'playwright-core'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { TestWallet } from '../../../packages/sdk/src/testing.ts'
import { readBalance } from '../../harness/readBalance.ts'
import { startLocalProcess, type LocalProcess } from '../../harness/startLocalProcess.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { promptsOf } from '../../harness/walletRequests.ts'
import { eventually } from '../../harness/timeLimits.ts'
import { describeWith } from '../../harness/findServices.ts'
import { createProject, type Project } from '../createProject.ts'
import { runOrThrow } from '../run.ts'
import { launchChromium } from '../../console/launchChromium.ts'
import { openPage, type OpenPage } from '../../console/openPage.ts'

const { resolve } = createRequire(import.meta.url)
const vite = join(dirname(createRequire(resolve('vitest/package.json')).resolve('vite/package.json')), 'bin/vite.js')
const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no chain is running')
const chainId = 84532

type TokenSymbol = 'tUSD' | 'tAUD' | 'tEUR'
type Pair = { readonly from: TokenSymbol; readonly to: TokenSymbol; readonly amount?: string }

const receiptPattern = /^Paid (\d+)\.000000 (\w+), received ([\d.]+) (\w+)$/

const describeInBrowser = await describeWith(['Chromium'], 'the SDK in a page with an injected wallet')
const describeOnline = inject('isOnline') ? describeInBrowser : describe.skip

describeOnline('a page in Chromium, on another origin than pnpm start, with an injected wallet', () => {
  let local: LocalProcess
  let chains: Localnet['chains']
  let project: Project
  let served: ServedFolder
  let browser: Browser

  beforeAll(async () => {
    ;[local, project, browser] = await Promise.all([startLocalProcess(), buildPage(), launchChromium()])
    served = await serveFolder(join(project.folder, 'dist'))
    // The addresses are the same on all local chains.
    chains = Network.map((id) => ({ ...target.chains[id], rpcUrl: local.rpcUrls[id === chainId ? 0 : 1] ?? '' }))
  })

  afterAll(async () => {
    await browser?.close()
    await served?.[Symbol.asyncDispose]()
    await project?.[Symbol.asyncDispose]()
    await local?.stop('SIGINT')
  })

  it('makes conversions at once: of one token in turn, of another beside them', async () => {
    await using scene = await open()
    const pairs: readonly Pair[] = [
      { from: 'tAUD', to: 'tUSD', amount: '100' },
      { from: 'tAUD', to: 'tEUR', amount: '50' },
      { from: 'tUSD', to: 'tEUR', amount: '25' },
    ]
    for (const pair of pairs) await convert(scene, pair)
    await expectPaid(scene, pairs)
  })

  it('goes on with all of its conversions after a reload', async () => {
    await using scene = await open()
    const { promise, resolve } = Promise.withResolvers<'confirm'>()
    scene.wallet.answer(({ method }) => (method === 'eth_signTypedData_v4' ? promise : 'confirm'))
    const pairs: readonly Pair[] = [
      { from: 'tAUD', to: 'tUSD', amount: '100' },
      { from: 'tAUD', to: 'tUSD', amount: '50' },
    ]
    for (const pair of pairs) await convert(scene, pair)
    await vi.waitUntil(() => promptsOf(scene.wallet).at(-1) === 'eth_signTypedData_v4', eventually)
    resolve('confirm')
    await scene.page.reload()
    await expectPaid(scene, pairs)
  })

  type Scene = OpenPage & { readonly wallet: TestWallet }

  /** Opens the page, with a wallet that holds 1,000 of each token. Asserts at last what the page has requested. */
  async function open(): Promise<Scene> {
    const holding = { tUSD: '1000', tAUD: '1000', tEUR: '1000' }
    const wallet = await createFundedWallet(chains, { chainId, holding })
    const opened = await openPage(browser, {
      url: `${served.origin}/?url=${encodeURIComponent(local.url)}&apiKey=local-key`,
      origins: [served.origin, local.url],
      wallet,
      prepare: (context) => context.addInitScript({ path: join(project.folder, 'wallet/wallet.js') }),
    })
    return {
      ...opened,
      wallet,
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]()
        expect(opened).toMatchObject({ strayRequests: [], errors: [] })
        expect(opened.methods).not.toContain('eth_signTransaction')
      },
    }
  }

  async function convert({ page }: Scene, { from, to, amount = '100' }: Pair): Promise<void> {
    await page.locator('form[data-ready]').waitFor()
    await page.getByLabel('Amount').fill(amount)
    await page.getByLabel('From').selectOption({ label: from })
    await page.getByLabel('To').selectOption({ label: to })
    const shown = await page.locator('article').count()
    await page.getByRole('button').click()
    await vi.waitUntil(async () => (await page.locator('article').count()) > shown, eventually)
  }

  /** Waits until the page shows the receipts of conversions, and asserts that they are all that the wallet has paid. */
  async function expectPaid({ page, wallet }: Scene, pairs: readonly Pair[]): Promise<void> {
    const outputs = page.locator('output:not(:empty)')
    await vi.waitUntil(async () => (await outputs.count()) === pairs.length, eventually)
    const shown = (await outputs.allTextContents()).map((text) => {
      const [, amount = text, from = '', received = '', to = ''] = receiptPattern.exec(text) ?? []
      return { amount, from, received, to }
    })
    const expected = pairs.map(({ amount = '100', ...pair }) => expect.objectContaining({ amount, ...pair }))
    expect(shown).toEqual(expect.arrayContaining(expected))
    const changes: Record<string, bigint> = {}
    for (const { amount, from, received, to } of shown) {
      changes[from] = (changes[from] ?? 0n) - parseUnits(amount, 6)
      changes[to] = (changes[to] ?? 0n) + parseUnits(received, 6)
    }
    for (const [symbol, change] of Object.entries(changes)) {
      const token = chains[chainId].tokens[symbol] ?? '0x'
      expect(await readBalance(chains[chainId], token, wallet.address), symbol).toBe(1_000_000_000n + change)
    }
  }
})

/** Builds a page outside of the workspace with the packed package: the page in `dist`, and the wallet for it in `wallet/wallet.js`. */
async function buildPage(): Promise<Project> {
  const project = await createProject({ from: new URL('../projects/page/', import.meta.url), dependencies: ['viem'] })
  const { folder: cwd } = project
  await runOrThrow(process.execPath, [compiler, '--project', '.'], { cwd })
  await runOrThrow(process.execPath, [vite, 'build', '--target', 'es2022'], { cwd })
  await runOrThrow(process.execPath, [vite, 'build', '--config', 'vite.wallet.config.js'], { cwd })
  return project
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the files of a folder on its own origin. */
async function serveFolder(folder: string): Promise<ServedFolder> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = pathname === '/' ? '/index.html' : pathname
    readFile(join(folder, path)).then(
      (content) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    // A different host than the service, which is 127.0.0.1.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

type ServedFolder = AsyncDisposable & { readonly origin: string }
