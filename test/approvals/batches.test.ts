import type { Address } from '@agio/core'
import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { describe, expect, inject, it } from 'vitest'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { readBalance } from '../harness/readBalance.ts'
import { expectSum } from '../harness/expectSum.ts'
import { executeBy } from '../harness/swaps.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createHolder, fund } from '../harness/createHolder.ts'
import { approve, encodeApproval, send } from './approve.ts'
import { readAllowance } from './readAllowance.ts'
import { requestPreviewed, requestQuoted, type Conversion, type Terms } from './requestTerms.ts'
import type { Sendable, Wallet } from '../harness/Wallet.ts'

const [target] = inject('targets')
const chain = target.chains[target.chainId]

/** What a build returns for `wallet_sendCalls`. */
type Batch = {
  readonly calls: readonly { readonly to: Address; readonly data: Hex; readonly value: Hex }[]
  readonly callGasLimits: readonly { readonly kind: 'reset' | 'approve' | 'convert'; readonly gasLimit: string }[]
}

/** An account that makes calls in batches, and the wallet that signs for it. */
type BatchAccount = { readonly address: Address; readonly wallet: Wallet }

const three: Conversion = { from: 'tEUR', to: 'tAUD', amountIn: '25.5' }
const two: Conversion = { from: 'tUSD', to: 'tEUR', amountOut: '20' }

const call = createTrpcCaller(target)

describe('the batch of a build', () => {
  const { router } = chain.deployment

  const build = async ({ build }: Terms, userAddress: Address) => {
    const built = await call('transaction.buildConvert', { ...build, userAddress })
    expect(built).toMatchObject({ status: 200 })
    const batch = built.data as unknown as Batch
    const { to, data, gasLimit } = built.data as unknown as Sendable
    expect(batch.calls.at(-1)).toEqual({ to, data, value: '0x0' })
    expect(batch.callGasLimits.at(-1)).toEqual({ kind: 'convert', gasLimit })
    expect(batch.calls).toHaveLength(batch.callGasLimits.length)
    // `issues` describes the conversion on its own: it reports what is missing before the other calls.
    const missing = batch.calls.length > 1 ? [{ code: 'svc/insufficient-allowance' }] : []
    expect(built.data?.['issues']).toMatchObject(missing)
    return batch
  }

  /** Executes the calls of a batch by the account itself, as `wallet_sendCalls` with `atomicRequired` does. */
  const toExecution = ({ address }: BatchAccount, { calls, callGasLimits }: Batch): Sendable => {
    for (const { value } of calls) expect(value).toBe('0x0')
    const { target: to, data } = executeBy(
      address,
      calls.map(({ to: target, data }) => ({ target, data })),
    )
    return { to, data, gasLimit: `${sumOf(callGasLimits)}` }
  }

  async function createSmartAccount(holding: Readonly<Record<string, string>>): Promise<BatchAccount> {
    const wallet = await createHolder(chain, {})
    const address = await connectOwner(chain).deploy('testing/OwnedAccount', [wallet.address])
    await fund(chain, address, holding)
    return { address, wallet }
  }

  async function createDelegatedWallet(holding: Readonly<Record<string, string>>): Promise<BatchAccount> {
    const wallet = await createHolder(chain, holding)
    const delegate = await connectOwner(chain).deploy('testing/StrictDelegate', [])
    expect(await wallet.delegate(delegate)).toMatchObject({ status: 'success' })
    return { address: wallet.address, wallet }
  }

  /** Makes one call of a token, by the wallet itself or by its smart account. */
  const callToken = async ({ address, wallet }: BatchAccount, to: Address, data: Hex) => {
    const execution = executeBy(address, [{ target: to, data }])
    await send(wallet, address === wallet.address ? { to, data } : { to: execution.target, data: execution.data })
  }

  describe.each([
    // Which account pays is unknown before a contract has called the token.
    ['a small smart account', createSmartAccount, 'svc/reverted', false],
    ['a wallet that is delegated by EIP-7702', createDelegatedWallet, 'svc/insufficient-balance', true],
  ] as const)('executed by %s', (_, create, code, isPayerKnown) => {
    it.each([
      [['reset', 'approve', 'convert'], three, requestQuoted],
      [['reset', 'approve', 'convert'], three, requestPreviewed],
      [['approve', 'convert'], two, requestQuoted],
    ] as const)('a batch of %j converts in one transaction: %j', async (kinds, conversion, requestTerms) => {
      const account = await create({ [conversion.from]: '100' })
      const terms = await requestTerms(call, chain, conversion)
      if (kinds.length === 3) await callToken(account, terms.tokenIn, encodeApproval(router, 1n))
      const batch = await build(terms, account.address)
      expect(batch.callGasLimits.map(({ kind }) => kind)).toEqual(kinds)
      expect(batch.calls.map(({ to }) => to)).toEqual([...kinds.slice(1).map(() => terms.tokenIn), router])
      const approved = batch.calls.slice(0, -1).map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }).args)
      expect(approved).toEqual([0n, terms.capRaw].slice(1 - kinds.length).map((raw) => [router, raw]))

      const sent = await account.wallet.countSent()
      const { hash } = await send(account.wallet, toExecution(account, batch))
      expect(await account.wallet.countSent()).toBe(sent + 1)
      expect(await readBalance(chain, terms.tokenIn, account.address)).toBe(100_000_000n - terms.inRaw)
      expect(await readBalance(chain, terms.tokenOut, account.address)).toBe(terms.outRaw)
      const left = await readAllowance(chain, terms.tokenIn, [account.address, router])
      expect(left).toBe(terms.capRaw - terms.inRaw)

      const receipt = await call('convert.receipt', { ...terms.receipt, transactionHash: hash })
      expect(receipt.data).toMatchObject({ status: 'success', payer: account.address, recipient: account.address })
      expectSum(receipt.data)
    })

    it('an account whose allowance is enough gets only the conversion', async () => {
      const account = await create({ tUSD: '100' })
      const terms = await requestQuoted(call, chain, two)
      await callToken(account, terms.tokenIn, encodeApproval(router, terms.capRaw))
      const batch = await build(terms, account.address)
      expect(batch.callGasLimits).toMatchObject([{ kind: 'convert' }])
      await send(account.wallet, toExecution(account, batch))
    })

    it('a batch whose last call fails leaves no approval and moves nothing, and its receipt has the reason', async () => {
      const account = await create({ tEUR: '100' })
      const terms = await requestPreviewed(call, chain, three)
      await callToken(account, terms.tokenIn, encodeApproval(router, 1n))
      const batch = await build(terms, account.address)
      const args = ['0x00000000000000000000000000000000000a610c', 80_000_000n] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      await callToken(account, terms.tokenIn, data)
      const { hash, status } = await account.wallet.send(toExecution(account, batch))
      expect(status).toBe('reverted')
      expect(await readAllowance(chain, terms.tokenIn, [account.address, router])).toBe(1n)
      expect(await readBalance(chain, terms.tokenIn, account.address)).toBe(20_000_000n)
      expect(await readBalance(chain, terms.tokenOut, account.address)).toBe(0n)
      const payer = account.address
      expect(await call('convert.receipt', { chainId: chain.chainId, transactionHash: hash })).toMatchObject({
        status: 200,
        data: { status: 'failed', failure: { code }, tokenIn: { symbol: 'tEUR' }, ...(isPayerKnown && { payer }) },
      })
    })

    it('a broadcast of a batch is explained by the amounts that it moves', async () => {
      const account = await create({ tUSD: '100' })
      const terms = await requestPreviewed(call, chain, { from: 'tUSD', to: 'tAUD', amountIn: '33.3' })
      const signedTransaction = await account.wallet.sign(toExecution(account, await build(terms, account.address)))
      const sent = await call('transaction.broadcastConvert', { ...terms.broadcast, signedTransaction })
      const { expectedAmountOut } = terms.broadcast
      expect(sent).toMatchObject({
        status: 200,
        data: { status: 'success', convert: { amountIn: '33.3', actualAmountOut: expectedAmountOut } },
      })
    })
  })

  it.each([
    [three, requestQuoted],
    [three, requestPreviewed],
    [two, requestQuoted],
  ] as const)(
    'each call of a batch succeeds by itself within its own gas limit: %j',
    async (conversion, requestTerms) => {
      const wallet = await createHolder(chain, { [conversion.from]: '100' })
      const terms = await requestTerms(call, chain, conversion)
      if (conversion === three) await approve(wallet, terms.tokenIn, [router, 1n])
      const { calls, callGasLimits } = await build(terms, wallet.address)
      for (const [index, { to, data }] of calls.entries()) {
        const { gasLimit = '', kind } = callGasLimits[index] ?? {}
        const { status, gasUsed } = await wallet.send({ to, data, gasLimit })
        expect(status, kind).toBe('success')
        // A limit has a margin, also for a reset, which is refunded a part; it is not an upper bound for all tokens.
        expect(BigInt(gasLimit), kind).toBeLessThan(3n * gasUsed)
      }
      expect(await readBalance(chain, terms.tokenOut, wallet.address)).toBe(terms.outRaw)
    },
  )
})

function sumOf(limits: Batch['callGasLimits']): bigint {
  return limits.reduce((sum, { gasLimit }) => sum + BigInt(gasLimit), 0n)
}
