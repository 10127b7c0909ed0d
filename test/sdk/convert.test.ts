import { permit2Address } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import { Network, type Address } from '@agio/core'
import { maxUint256, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { readAllowance } from '../approvals/readAllowance.ts'
import { getOtherChainId } from '../harness/networks.ts'
import { readBalance } from '../harness/readBalance.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { writeContract } from '../harness/writeContract.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { partOf } from '../harness/partOf.ts'
import { recordSteps } from './recordSteps.ts'
import { agio, chains } from './sharedService.ts'

const asked = ['needed', 'waiting-for-wallet'] as const
const sent = [...asked, 'sent'] as const
const toSteps = (kind: string, statuses: readonly string[]) => statuses.map((status) => `${kind} ${status}`)
const [permitSteps, approveSteps] = [toSteps('permit', [...asked, 'done']), toSteps('approve', [...sent, 'done'])]
const resetSteps = toSteps('approve reset', [...sent, 'done'])
const convertSteps = [...toSteps('convert', sent), 'confirm needed', 'confirm done']
const batchSteps = [...toSteps('batch', [...sent, 'done']), 'confirm needed', 'confirm done']

describe.each(partOf(Network.chainIds))('agio.convert on chain %i', (chainId) => {
  const chain = chains[chainId]
  const tokenOf = (symbol: string) => chain.tokens[symbol] as Address
  const { client } = connectOwner(chain)
  const { router } = chain.deployment

  type Amounts = { readonly amountIn: string } | { readonly amountOut: string }
  const quoteFor = ([from, to]: readonly [string, string], amounts: Amounts, more: object = {}) =>
    agio.quote({ chainId, tokenIn: tokenOf(from), tokenOut: tokenOf(to), ...amounts, ...more })

  const approve = async (wallet: TestWallet, symbol: string, [spender, amountRaw]: readonly [Address, bigint]) => {
    const call = { abi: tokenAbi, functionName: 'approve', args: [spender, amountRaw] } as const
    await writeContract(client, { address: tokenOf(symbol), account: wallet.address, ...call })
  }
  const promptsOf = ({ prompts }: TestWallet) => prompts.map(({ method }) => method).slice(1)

  /** Converts, and asserts what the wallet paid and its payee received, and that the conversion is in its receipt. */
  async function convert(wallet: TestWallet, { from = 'tAUD', to = 'tUSD', ...terms }: Terms = {}) {
    const { amounts = { amountIn: '10' }, more = {}, approval } = terms
    const { address: account } = wallet
    const { payee = account } = terms
    const quote = await quoteFor([from, to], amounts, more)
    const before = await readBalance(chain, tokenOf(from), account)
    const recorded = await recordSteps(agio.convert({ quote, wallet, approval }))
    expect(recorded.error).toBeUndefined()
    const { receipt } = recorded
    expect(receipt).toMatchObject({ status: 'success', amountIn: quote.amountIn, amountOut: quote.amountOut })
    expect(receipt?.quoted).toMatchObject({ mode: quote.mode, expiresAt: quote.expiresAt })
    expect(before - (await readBalance(chain, tokenOf(from), account))).toBe(parseUnits(quote.amountIn, 6))
    expect(await readBalance(chain, tokenOf(to), payee)).toBe(parseUnits(quote.amountOut, 6))
    return recorded
  }

  it('the receipt of a conversion has its amounts, tokens, parties, block and quote without narrowing', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '10' } })
    const receipt = await agio.convert({ quote: await quoteFor(['tAUD', 'tUSD'], { amountIn: '10' }), wallet })
    const { status, payer, recipient, tokenIn, tokenOut, amountIn, amountOut, executedRate } = receipt
    const { oracleAt, blockNumber, blockHash, blockTimestamp, gasUsed, confirmations, quoted } = receipt
    const texts: readonly string[] = [amountIn, amountOut, executedRate, blockTimestamp, gasUsed, quoted.expiresAt]
    const hexes: readonly `0x${string}`[] = [payer, recipient, tokenIn.address, tokenOut.address, blockHash]
    const numbers: readonly number[] = [blockNumber, confirmations]
    expect([status, oracleAt]).toEqual(['success', 'quote'])
    expect([...texts, ...hexes, ...numbers].filter((value) => !value)).toEqual([])
  })

  type Terms = {
    readonly from?: string
    readonly to?: string
    readonly amounts?: Amounts
    readonly more?: object
    readonly approval?: 'shortest' | 'approve'
    readonly payee?: Address
  }

  it('a token with permits converts by one signature and one transaction', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '1000' } })
    const { told, steps } = await convert(wallet, { amounts: { amountIn: '100.5' } })
    expect(told).toEqual(['quote done', ...permitSteps, ...convertSteps])
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    expect(steps[0]?.conversionId).toMatch(uuid)
    expect(new Set(steps.map(({ conversionId }) => conversionId)).size).toBe(1)
    expect(promptsOf(wallet)).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
    expect(await readAllowance(chain, tokenOf('tAUD'), [wallet.address, router])).toBe(0n)
  })

  it('a token without permits converts after an approval of exactly what it may cost', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tUSD: '1000' } })
    const { told, steps } = await convert(wallet, { from: 'tUSD', to: 'tEUR', amounts: { amountIn: '20' } })
    expect(told).toEqual(['quote done', ...approveSteps, ...convertSteps])
    expect(steps[1]).toMatchObject({ token: { symbol: 'tUSD' }, spender: router, amount: '20.000000' })
    expect(promptsOf(wallet)).toEqual(['eth_sendTransaction', 'eth_sendTransaction'])
    expect(await readAllowance(chain, tokenOf('tUSD'), [wallet.address, router])).toBe(0n)
  })

  it('a token without permits converts by one signature where Permit2 is approved', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tUSD: '1000' } })
    await approve(wallet, 'tUSD', [permit2Address, maxUint256])
    const { told, steps } = await convert(wallet, { from: 'tUSD', to: 'tAUD', amounts: { amountOut: '20' } })
    expect(told).toEqual(['quote done', ...permitSteps, ...convertSteps])
    expect(steps[1]).toMatchObject({ kind: 'permit', scheme: 'permit2' })
  })

  it('a token that demands a reset gets it before the approval', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tEUR: '100' } })
    await approve(wallet, 'tEUR', [router, 1_000_000n])
    const { told } = await convert(wallet, { from: 'tEUR', amounts: { amountIn: '20' } })
    expect(told).toEqual(['quote done', ...resetSteps, ...approveSteps, ...convertSteps])
  })

  it('with a sufficient allowance, only the conversion is needed', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '1000' }, canBatch: true })
    await approve(wallet, 'tAUD', [router, maxUint256])
    const { told } = await convert(wallet)
    expect(told).toEqual(['quote done', ...convertSteps])
  })

  it.each([{ amountIn: '77.654321' }, { amountOut: '12.345678' }])(
    'a conversion of %j over two pools pays another recipient',
    async (amounts) => {
      const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '1000' } })
      const payee = privateKeyToAccount(generatePrivateKey()).address
      const more = { recipient: payee }
      const { receipt } = await convert(wallet, { to: 'tEUR', amounts, more, payee })
      expect(receipt).toMatchObject({ payer: wallet.address, recipient: payee })
    },
  )

  it.each(['tAUD', 'tEUR'])('a wallet with batches converts %s by one prompt', async (from) => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { [from]: '1000' }, canBatch: true })
    await approve(wallet, from, [router, 1_000_000n])
    const { told } = await convert(wallet, { from, amounts: { amountIn: '100' } })
    expect(told).toEqual(['quote done', ...batchSteps])
    expect(promptsOf(wallet)).toEqual(['wallet_sendCalls'])
  })

  it('a wallet that is told to approve signs no permit and sends no batch', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '1000' }, canBatch: true })
    const { told } = await convert(wallet, { amounts: { amountIn: '100' }, approval: 'approve' })
    expect(told).toEqual(['quote done', ...approveSteps, ...convertSteps])
  })

  it('a wallet on another chain is asked to switch first', async () => {
    const other = getOtherChainId(chainId)
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '1000' } })
    wallet.setChain(other)
    const { told, steps } = await convert(wallet, { amounts: { amountIn: '5' } })
    expect(told.slice(0, 4)).toEqual(['quote done', ...toSteps('switch-chain', [...asked, 'done'])])
    expect(steps[1]).toMatchObject({ from: other, to: chainId })
    expect(wallet.chainId).toBe(chainId)
  })

  it('two conversions of different tokens at once each convert once', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '10', tEUR: '20', tUSD: '30' } })
    const quotes = await Promise.all([
      quoteFor(['tAUD', 'tUSD'], { amountIn: '10' }),
      quoteFor(['tEUR', 'tUSD'], { amountIn: '20' }),
      quoteFor(['tUSD', 'tAUD'], { amountIn: '30' }),
    ])
    const receipts = await Promise.all(quotes.map((quote) => agio.convert({ quote, wallet })))
    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(3)
    expect(await readBalance(chain, tokenOf('tEUR'), wallet.address)).toBe(0n)
  })
})
