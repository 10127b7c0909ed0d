import { permit2Address } from '@agio/chain'
import type { Address } from '@agio/core'
import { verifyTypedData } from 'ethers'
import { describe, expect, inject, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { readBalance } from '../harness/readBalance.ts'
import { expectSum } from '../harness/expectSum.ts'
import { createHolder } from '../harness/createHolder.ts'
import { readAllowance } from './readAllowance.ts'
import { requestPlan, type Step } from './requestPlan.ts'
import { requestPreviewed, requestQuoted, type Conversion } from './requestTerms.ts'
import { signStep } from './signStep.ts'
import type { Sendable, Wallet } from '../harness/Wallet.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { chains } = target

const recipient = '0x00000000000000000000000000000000000a610b'

const quoted: readonly Conversion[] = [
  { from: 'tAUD', to: 'tUSD', amountIn: '100.5' },
  { from: 'tAUD', to: 'tUSD', amountOut: '50.25' },
  { from: 'tAUD', to: 'tEUR', amountIn: '77.654321' },
  { from: 'tAUD', to: 'tEUR', amountOut: '12.345678', recipient },
]

describe.each([
  [84532, 'ethers', createRestCaller(target)],
  [84532, 'viem', createTrpcCaller(target)],
  [421614, 'ethers', createTrpcCaller(target)],
  [421614, 'viem', createRestCaller(target)],
] as const)('a wallet without an allowance on chain %i, built with %s', (chainId, library, call) => {
  const chain = chains[chainId]

  /** Plans, signs once, builds and sends once, and asserts that all amounts equal the terms. */
  async function convert(wallet: Wallet, conversion: Conversion, requestTerms: typeof requestQuoted) {
    const terms = await requestTerms(call, chain, conversion)
    const { tokenIn, tokenOut, inRaw, outRaw, capRaw } = terms
    const payee = conversion.recipient ?? wallet.address
    const read = async () => [
      await readBalance(chain, tokenIn, wallet.address),
      await readBalance(chain, tokenOut, payee),
      await wallet.countSent(),
    ]
    const [paidBefore, receivedBefore, sentBefore] = (await read()) as [bigint, bigint, number]
    const { steps, ...plan } = await requestPlan(call, { ...terms.plan, ownerAddress: wallet.address })
    expect(plan).toMatchObject({
      spenderAddress: chain.deployment.router,
      currentAllowance: '0.000000',
      requiredAmount: toDecimal(capRaw, 6),
    })
    expect(steps).toHaveLength(1)
    const permit = await signStep(wallet, steps[0])
    const built = await call('transaction.buildConvert', { ...terms.build, userAddress: wallet.address, permit })
    expect(built).toMatchObject({ status: 200, data: { to: chain.deployment.router, issues: [] } })
    const hash = await sendOnce(wallet, built.data as Built, terms.broadcast)
    expect(await read()).toEqual([paidBefore - inRaw, receivedBefore + outRaw, sentBefore + 1])
    const receipt = await call('convert.receipt', { ...terms.receipt, transactionHash: hash })
    expect(receipt.data).toMatchObject({ status: 'success', payer: wallet.address, tokenIn: { address: tokenIn } })
    expectSum(receipt.data)
    return { step: steps[0] as Step, signature: permit.signature, terms }
  }

  type Built = { readonly transaction: Sendable }

  /** Sends by the wallet itself, or by the service, which explains the conversion. */
  async function sendOnce(wallet: Wallet, { transaction }: Built, broadcast: Readonly<Record<string, unknown>>) {
    if (library === 'ethers') {
      const { status, hash } = await wallet.send(transaction)
      expect(status).toBe('success')
      return hash
    }
    const signedTransaction = await wallet.sign(transaction)
    const sent = await call('transaction.broadcastConvert', { ...broadcast, signedTransaction })
    expect(sent).toMatchObject({ status: 200, data: { status: 'success', convert: { slippage: expect.any(String) } } })
    return String(sent.data?.['transactionHash'])
  }

  it.each(quoted)('converts with one signature by EIP-2612 and one transaction, of a quote: %j', async (conversion) => {
    const wallet = await createHolder(chain, { tAUD: '1000' }, library)
    const { step, signature, terms } = await convert(wallet, conversion, requestQuoted)
    expect(step).toMatchObject({
      kind: 'permit',
      typedData: {
        primaryType: 'Permit',
        domain: { chainId, verifyingContract: terms.tokenIn },
        message: { owner: wallet.address, spender: chain.deployment.router, value: `${terms.capRaw}`, nonce: '0' },
      },
      fallback: [{ kind: 'approve' }],
    })
    expect(signerOf(step, signature)).toBe(wallet.address)
    const left = await readAllowance(chain, terms.tokenIn, [wallet.address, chain.deployment.router])
    expect(left).toBe(terms.capRaw - terms.inRaw)
  })

  it.each(['tUSD', 'tEUR'])(
    'converts with one signature by EIP-2612 and one transaction, of amounts without a quote: tAUD to %s',
    async (to) => {
      const wallet = await createHolder(chain, { tAUD: '1000' }, library)
      await convert(wallet, { from: 'tAUD', to, amountIn: '250.25' }, requestPreviewed)
    },
  )

  it('one signature of any amount by EIP-2612 pays later conversions too', async () => {
    const wallet = await createHolder(chain, { tAUD: '1000' }, library)
    const conversion = { from: 'tAUD', to: 'tUSD', amountIn: '10' }
    const { plan, build } = await requestQuoted(call, chain, conversion)
    const { steps } = await requestPlan(call, { ...plan, ownerAddress: wallet.address, unlimited: true })
    const permit = await signStep(wallet, steps[0])
    const built = await call('transaction.buildConvert', { ...build, userAddress: wallet.address, permit })
    expect(built).toMatchObject({ status: 200, data: { issues: [] } })
    expect(await wallet.send(built.data?.['transaction'] as Sendable)).toMatchObject({ status: 'success' })

    const later = await requestQuoted(call, chain, { ...conversion, amountIn: '990' })
    expect((await requestPlan(call, { ...later.plan, ownerAddress: wallet.address })).steps).toEqual([])
    const next = await call('transaction.buildConvert', { ...later.build, userAddress: wallet.address })
    expect(next).toMatchObject({ status: 200, data: { issues: [] } })
    expect(await wallet.send(next.data?.['transaction'] as Sendable)).toMatchObject({ status: 'success' })
    expect(await readBalance(chain, later.tokenIn, wallet.address)).toBe(0n)
  })

  it('converts any number of times with one signature each by Permit2, once Permit2 is approved', async () => {
    const wallet = await createHolder(chain, { tUSD: '1000', tEUR: '1000' }, library)
    for (const symbol of ['tUSD', 'tEUR']) await approvePermit2(wallet, chain.tokens[symbol] as Address)
    const conversions: readonly Conversion[] = [
      { from: 'tUSD', to: 'tAUD', amountIn: '100.5' },
      { from: 'tUSD', to: 'tEUR', amountOut: '33.333333', recipient },
      { from: 'tEUR', to: 'tUSD', amountOut: '50.25' },
      { from: 'tEUR', to: 'tAUD', amountIn: '77.654321', recipient },
      { from: 'tEUR', to: 'tAUD', amountOut: '7.654321' },
    ]
    for (const conversion of conversions) {
      const { step, signature, terms } = await convert(wallet, conversion, requestQuoted)
      const isExactOut = conversion.amountOut !== undefined
      expect(step).toMatchObject({
        kind: 'permit2',
        typedData: {
          primaryType: 'PermitWitnessTransferFrom',
          domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
          message: {
            spender: chain.deployment.router,
            permitted: { token: terms.tokenIn, amount: `${terms.capRaw}` },
            witness: {
              origin: terms.tokenIn,
              target: terms.tokenOut,
              [isExactOut ? 'targetAmount' : 'originAmount']: `${isExactOut ? terms.outRaw : terms.inRaw}`,
              recipient: expect.stringMatching(new RegExp(conversion.recipient ?? wallet.address, 'i')),
            },
          },
        },
        fallback: [{ kind: 'approve' }],
      })
      expect(signerOf(step, signature)).toBe(wallet.address)
      expect(await readAllowance(chain, terms.tokenIn, [wallet.address, chain.deployment.router])).toBe(0n)
    }
  })

  /** Approves Permit2 for any amount, by a plan. */
  async function approvePermit2(wallet: Wallet, tokenAddress: Address): Promise<void> {
    const spender = { spenderAddress: permit2Address, unlimited: true }
    const input = { chainId, tokenAddress, ownerAddress: wallet.address, amount: '1', ...spender }
    const { steps } = await requestPlan(call, input)
    expect(steps).toMatchObject([{ kind: 'approve' }])
    expect(await wallet.send(steps[0]?.transaction as Sendable)).toMatchObject({ status: 'success' })
    expect((await requestPlan(call, input)).steps).toEqual([])
  }
})

/** The signer of typed data, recovered with a different library than the service uses. */
function signerOf({ typedData }: Step, signature: string): string {
  const { domain = {}, types: { EIP712Domain: _, ...types } = {}, message = {} } = typedData ?? {}
  const copied = Object.fromEntries(Object.entries(types).map(([name, fields]) => [name, [...fields]]))
  return verifyTypedData(domain, copied, message, signature)
}
