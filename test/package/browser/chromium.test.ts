import { join } from 'node:path'
import { Network } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import type { Browser } from 'playwright-core'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { TestWallet } from '../../../packages/sdk/src/testing.ts'
import { readBalance } from '../../harness/readBalance.ts'
import { startLocalProcess, type LocalProcess } from '../../harness/startLocalProcess.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { promptsOf } from '../../harness/walletRequests.ts'
import { eventually } from '../../harness/timeLimits.ts'
import { describeWith } from '../../harness/findServices.ts'
import type { Project } from '../createProject.ts'
import { buildPage } from './buildPage.ts'
import { launchChromium } from '../../console/launchChromium.ts'
import { openPage, type OpenPage } from '../../console/openPage.ts'
import { serveFolder, type ServedFolder } from './serveFolder.ts'

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

  it.each([
    ['a token with a permit', 'tAUD', 'tUSD', ['eth_signTypedData_v4', 'eth_sendTransaction']],
    [
      'a token that demands a reset',
      'tEUR',
      'tUSD',
      ['eth_sendTransaction', 'eth_sendTransaction', 'eth_sendTransaction'],
    ],
    ['a token over two pools', 'tAUD', 'tEUR', ['eth_signTypedData_v4', 'eth_sendTransaction']],
  ] as const)('converts %s, and shows the receipt', async (_, from, to, prompts) => {
    await using scene = await open()
    if (from === 'tEUR') await approve(scene.wallet, from)
    const before = scene.wallet.prompts.length
    await convert(scene, { from, to })
    await expectPaid(scene, [{ from, to }])
    const expected = from === 'tEUR' ? prompts : ['eth_requestAccounts', ...prompts]
    expect(promptsOf(scene.wallet).slice(before)).toEqual(expected)
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

  it('goes on after a reload while the wallet asks, with what the user confirms after it', async () => {
    await using scene = await open()
    const { promise, resolve } = Promise.withResolvers<'confirm'>()
    scene.wallet.answer(({ method }) => (method === 'eth_sendTransaction' ? promise : 'confirm'))
    await convert(scene, { from: 'tAUD', to: 'tUSD' })
    await vi.waitUntil(() => promptsOf(scene.wallet).at(-1) === 'eth_sendTransaction', eventually)
    await scene.page.reload()
    await scene.page.getByText('confirm needed').waitFor()
    resolve('confirm')
    await expectPaid(scene, [{ from: 'tAUD', to: 'tUSD' }])
    expect(promptsOf(scene.wallet)).toEqual(['eth_requestAccounts', 'eth_signTypedData_v4', 'eth_sendTransaction'])
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

  it('shows that the user refused, and sends nothing', async () => {
    await using scene = await open()
    scene.wallet.answer(({ method }) => (method === 'eth_sendTransaction' ? 'reject' : 'confirm'))
    await convert(scene, { from: 'tAUD', to: 'tUSD' })
    await scene.page.getByText('wallet/rejected').waitFor()
    expect(await readBalance(chains[chainId], chains[chainId].tokens.tAUD, scene.wallet.address)).toBe(1_000_000_000n)
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

  async function approve(wallet: TestWallet, symbol: TokenSymbol): Promise<void> {
    const { tokens, deployment } = chains[chainId]
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [deployment.router, 1n] })
    await wallet.request({ method: 'eth_requestAccounts' })
    const transaction = { from: wallet.address, to: tokens[symbol], data }
    await wallet.request({ method: 'eth_sendTransaction', params: [transaction] })
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
