import { permit2Address } from '@agio/chain'
import type { Address } from '@agio/core'
import { verifyTypedData } from 'ethers'
import { getAddress, type Hex } from 'viem'
import { describe, expect, inject, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { readBalance } from '../harness/readBalance.ts'
import { expectSum } from '../harness/expectSum.ts'
import { createHolder, fund } from '../harness/createHolder.ts'
import { execute, send } from './approve.ts'
import { readAllowance } from './readAllowance.ts'
import { requestPlan, type Step } from './requestPlan.ts'
import { requestPreviewed, requestQuoted, type Conversion, type Terms } from './requestTerms.ts'
import { signStep } from './signStep.ts'
import type { Sendable, Wallet } from '../harness/Wallet.ts'

const [target] = inject('targets')
const chain = target.chains[target.chainId]

const recipient = '0x00000000000000000000000000000000000a610b'

const quoted: readonly Conversion[] = [
  { from: 'tAUD', to: 'tUSD', amountIn: '100.5' },
  { from: 'tAUD', to: 'tUSD', amountOut: '50.25' },
  { from: 'tAUD', to: 'tEUR', amountIn: '77.654321' },
  { from: 'tAUD', to: 'tEUR', amountOut: '12.345678', recipient },
]

describe.each([
  ['ethers', createRestCaller(target)],
  ['viem', createTrpcCaller(target)],
] as const)('a wallet without an allowance, with a wallet of %s', (library, call) => {
  const { chainId, deployment } = chain

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
      spenderAddress: deployment.router,
      currentAllowance: '0.000000',
      requiredAmount: toDecimal(capRaw, 6),
    })
    expect(steps).toHaveLength(1)
    const permit = await signStep(wallet, steps[0])
    const built = await call('transaction.buildConvert', { ...terms.build, userAddress: wallet.address, permit })
    expect(built).toMatchObject({ status: 200, data: { to: deployment.router, issues: [] } })
    const hash = await sendOnce(wallet, built.data?.['transaction'] as Sendable, terms)
    expect(await read()).toEqual([paidBefore - inRaw, receivedBefore + outRaw, sentBefore + 1])
    const receipt = await call('convert.receipt', { ...terms.receipt, transactionHash: hash })
    expect(receipt.data).toMatchObject({
      status: 'success',
      mode: conversion.amountOut === undefined ? 'exact-in' : 'exact-out',
      payer: wallet.address,
      recipient: getAddress(payee),
      tokenIn: { address: tokenIn },
      amountOut: toDecimal(outRaw, 6),
    })
    expectSum(receipt.data)
    return { step: steps[0] as Step, signature: permit.signature, terms }
  }

  /** Sends by the wallet itself, or by the service, which explains the conversion. */
  async function sendOnce(wallet: Wallet, transaction: Sendable, { broadcast, outRaw }: Terms) {
    if (library === 'ethers') return (await send(wallet, transaction)).hash
    const signedTransaction = await wallet.sign(transaction)
    const sent = await call('transaction.broadcastConvert', { ...broadcast, signedTransaction })
    const convert = { actualAmountOut: toDecimal(outRaw, 6), slippage: expect.any(String) }
    expect(sent).toMatchObject({ status: 200, data: { status: 'success', convert } })
    return String(sent.data?.['transactionHash'])
  }

  it.each(quoted)('converts with one signature by EIP-2612 and one transaction, of a quote: %j', async (conversion) => {
    const wallet = await createHolder(chain, { tAUD: '1000' }, library)
    const { step, signature, terms } = await convert(wallet, conversion, requestQuoted)
    expect(step).toMatchObject({ kind: 'permit', fallback: [{ kind: 'approve' }] })
    expect(signerOf(step, signature)).toBe(wallet.address)
    const left = await readAllowance(chain, terms.tokenIn, [wallet.address, deployment.router])
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
    await send(wallet, built.data?.['transaction'])

    const later = await requestQuoted(call, chain, { ...conversion, amountIn: '990' })
    expect((await requestPlan(call, { ...later.plan, ownerAddress: wallet.address })).steps).toEqual([])
    const next = await call('transaction.buildConvert', { ...later.build, userAddress: wallet.address })
    expect(next).toMatchObject({ status: 200, data: { issues: [] } })
    await send(wallet, next.data?.['transaction'])
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
      expect(step).toMatchObject({ kind: 'permit2', fallback: [{ kind: 'approve' }] })
      expect(signerOf(step, signature)).toBe(wallet.address)
      expect(await readAllowance(chain, terms.tokenIn, [wallet.address, deployment.router])).toBe(0n)
    }
  })

  /** Approves Permit2 for any amount, by a plan. */
  async function approvePermit2(wallet: Wallet, tokenAddress: Address): Promise<void> {
    const spender = { spenderAddress: permit2Address, unlimited: true }
    const input = { chainId, tokenAddress, ownerAddress: wallet.address, amount: '1', ...spender }
    const { steps } = await requestPlan(call, input)
    expect(steps).toMatchObject([{ kind: 'approve' }])
    await execute(wallet, steps)
    expect((await requestPlan(call, input)).steps).toEqual([])
  }
})

it('eth_signTypedData_v4 of a node takes the unchanged typed data of a plan', async () => {
  const { client } = connectOwner(chain)
  const call = createRestCaller(target)
  const userAddress = (await client.getAddresses()).at(-1) as Hex
  await fund(chain, userAddress, { tAUD: '10' })
  const { plan, build } = await requestQuoted(call, chain, { from: 'tAUD', to: 'tUSD', amountIn: '10' })
  const { steps } = await requestPlan(call, { ...plan, ownerAddress: userAddress })
  const signTypedData = (typedData: unknown) => {
    const params = [userAddress, typedData] as never
    return client.request<{ ReturnType: Hex }>({ method: 'eth_signTypedData_v4', params })
  }
  const permit = await signStep({ signTypedData }, steps[0])
  const built = await call('transaction.buildConvert', { ...build, userAddress, permit })
  expect(built).toMatchObject({ status: 200, data: { issues: [] } })
})

it('error: svc/invalid-request for a signature in the URL of a query over tRPC, which the response does not repeat', async () => {
  const call = createRestCaller(target)
  const wallet = await createHolder(chain, { tAUD: '10' })
  const { plan, build } = await requestQuoted(call, chain, { from: 'tAUD', to: 'tUSD', amountIn: '10' })
  const { steps } = await requestPlan(call, { ...plan, ownerAddress: wallet.address })
  const permit = await signStep(wallet, steps[0])
  const input = encodeURIComponent(JSON.stringify({ ...build, userAddress: wallet.address, permit }))
  const response = await fetch(`${target.url}/trpc/transaction.buildConvert?input=${input}`, {
    headers: { 'x-api-key': target.apiKey },
  })
  const text = await response.text()
  expect([response.status, text]).toEqual([400, expect.stringContaining('svc/invalid-request')])
  expect(text).not.toContain(permit.signature.slice(2, 40))
})

/** The signer of typed data, recovered with a different library than the service uses. */
function signerOf({ typedData }: Step, signature: string): string {
  const { domain = {}, types: { EIP712Domain: _, ...types } = {}, message = {} } = typedData ?? {}
  const copied = Object.fromEntries(Object.entries(types).map(([name, fields]) => [name, [...fields]]))
  return verifyTypedData(domain, copied, message, signature)
}
