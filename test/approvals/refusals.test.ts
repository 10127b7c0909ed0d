import { permit2Address } from '@agio/chain'
import { permitRouterAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData, numberToHex, parseSignature, serializeSignature, type Hex } from 'viem'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { requestQuote, type Quote } from '../harness/executeQuote.ts'
import { getOtherChainId } from '../harness/networks.ts'
import { readBalance } from '../harness/readBalance.ts'
import { createHolder } from '../harness/createHolder.ts'
import { approve } from './approve.ts'
import { readAllowance } from './readAllowance.ts'
import { requestPlan, type Step } from './requestPlan.ts'
import { signStep, type Permit } from './signStep.ts'
import type { TypedData, Wallet } from '../harness/Wallet.ts'

const [target] = inject('targets')
const { chainId, chains } = target
const chain = chains[chainId]
const { router } = chain.deployment
const tokenOf = (symbol: string) => chain.tokens[symbol] as Address
const otherChainId = getOtherChainId(chainId)
const callers = [createRestCaller(target), createTrpcCaller(target)] as const

const stranger = '0x00000000000000000000000000000000000a610d'
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Creates a different signature for a step. */
type Forge = (signed: Signed) => Promise<Partial<Permit>>

type Signed = {
  readonly step: Step
  readonly wallet: Wallet
  /** Another account, with the same tokens. */
  readonly other: Wallet
  readonly permit: Permit
}

/** Signs changed typed data. */
const signed =
  (
    change: (typedData: TypedData) => Partial<Record<'domain' | 'message', object>>,
    permit: Partial<Permit> = {},
  ): Forge =>
  async ({ step, wallet }) => {
    const { domain, message, ...rest } = step.typedData as TypedData
    const changed = change({ domain, message, ...rest })
    const typedData = { ...rest, domain: { ...domain, ...changed.domain }, message: { ...message, ...changed.message } }
    return { ...permit, signature: await wallet.signTypedData(typedData) }
  }

/** The same signature, with the other root: its s is in the upper half. */
const malleate: Forge = async ({ permit }) => {
  const { r, s, v } = parseSignature(permit.signature as Hex)
  return {
    signature: serializeSignature({ r, s: numberToHex(order - BigInt(s), { size: 32 }), v: v === 27n ? 28n : 27n }),
  }
}

const signedByOther: Forge = async ({ step, other }) => ({
  signature: await other.signTypedData(step.typedData as TypedData),
})

const expired = 1_600_000_000

describe('a signature that would not be accepted', () => {
  let wallet: Wallet
  let other: Wallet

  beforeAll(async () => {
    wallet = await createHolder(chain, { tAUD: '100', tUSD: '100' })
    other = await createHolder(chain, { tAUD: '100', tUSD: '100' })
    for (const holder of [wallet, other]) await approve(holder, tokenOf('tUSD'), [permit2Address])
    // The other account can even pay by itself.
    await approve(other, tokenOf('tAUD'), [router])
  })

  /** Quotes 10 tokens into tEUR, and signs its only step as the plan has it. */
  async function sign(symbol: 'tAUD' | 'tUSD') {
    const [tokenIn, tokenOut] = [tokenOf(symbol), tokenOf('tEUR')]
    // Two quotes of one block and one second with the same terms are the same quote, which Permit2 executes once.
    const clientReference = crypto.randomUUID()
    const quoted = await requestQuote(callers[0], { chainId, tokenIn, tokenOut, amountIn: '10', clientReference })
    const { steps } = await requestPlan(callers[0], { quote: quoted.quote, ownerAddress: wallet.address })
    const [step] = steps as [Step]
    return { quoted, step, permit: await signStep(wallet, step) }
  }

  const build = ({ quote }: Quote, permit: Permit) =>
    callers.map((call) => call('transaction.buildConvert', { quote, userAddress: wallet.address, permit }))

  async function expectRefused(quoted: Quote, permit: Permit, reason: string): Promise<void> {
    for (const outcome of await Promise.all(build(quoted, permit))) {
      expect(outcome).toMatchObject({
        status: 422,
        failure: { code: 'svc/invalid-permit', reason, action: 'approve', retryable: false },
      })
      expect(outcome.data).toBeUndefined()
    }
  }

  const readAll = async () => {
    const accounts = [wallet.address, other.address, stranger] as const
    const tokens = ['tAUD', 'tUSD', 'tEUR'].map(tokenOf)
    return await Promise.all(tokens.flatMap((token) => accounts.map((account) => readBalance(chain, token, account))))
  }

  /** Sends the calldata of a conversion with a signature as some account. */
  async function sendDirectly(sender: Wallet, quoted: Quote, { permit, recipient = wallet.address }: Direct) {
    const { tokenIn, tokenOut, expiresAt, minAmountOut = '' } = quoted
    const [originAmount, minTargetAmount] = [10_000_000n, BigInt(minAmountOut.replace('.', ''))]
    const deadline = BigInt(Date.parse(expiresAt)) / 1000n
    const [origin, target] = [tokenIn.address, tokenOut.address]
    const swap = { quote: tokenOf('tUSD'), origin, target, originAmount, minTargetAmount, recipient, deadline }
    const signature = permit.signature as Hex
    const data =
      permit.kind === 'permit2'
        ? encodeFunctionData({
            abi: permitRouterAbi,
            functionName: 'originSwapWithPermit2',
            args: [swap, numberToHex(BigInt(permit.nonce ?? ''), { size: 32 }), signature],
          })
        : encodeFunctionData({
            abi: permitRouterAbi,
            functionName: 'originSwapWithPermit',
            args: [swap, { amount: originAmount, deadline: BigInt(permit.deadline), signature }],
          })
    return await sender.send({ to: router, data })
  }

  /** Expects that a direct conversion reverts, and that its receipt has the reason. */
  async function expectReverted(
    sender: Wallet,
    quoted: Quote,
    { code, ...direct }: Direct & { readonly code: string },
  ) {
    const { hash, status } = await sendDirectly(sender, quoted, direct)
    expect(status).toBe('reverted')
    const { data } = await callers[0]('convert.receipt', { chainId, transactionHash: hash })
    expect(data).toMatchObject({ status: 'failed', mode: 'exact-in', payer: sender.address, failure: { code } })
    return data?.['failure'] as { readonly message: string; readonly revert: { readonly name: string } }
  }

  type Direct = { readonly permit: Permit; readonly recipient?: Address }

  const byPermit: readonly (readonly [name: string, reason: string, forge: Forge])[] = [
    ['that has expired', 'deadline', signed(() => ({ message: { deadline: `${expired}` } }), { deadline: expired })],
    ['of another deadline than it names', 'signer', signed(() => ({ message: { deadline: '4102444800' } }))],
    ['of another account', 'signer', signedByOther],
    ['for another spender', 'signer', signed(() => ({ message: { spender: stranger } }))],
    [
      'for another token',
      'signer',
      signed(() => ({ domain: { verifyingContract: tokenOf('tUSD'), name: 'Test US Dollar' } })),
    ],
    ['for another chain', 'domain', signed(() => ({ domain: { chainId: otherChainId } }))],
    ['of a later nonce', 'nonce', signed(() => ({ message: { nonce: '1' } }))],
    ['of a smaller amount', 'amount', signed(() => ({ message: { value: '9999999' } }), { amount: '9.999999' })],
    ['that is malleable', 'signer', malleate],
    ['of zeros', 'signer', async () => ({ signature: `0x${'00'.repeat(65)}` })],
    ['that is too short', 'signer', async ({ permit }) => ({ signature: permit.signature.slice(0, -2) })],
  ]

  it.each(byPermit)(
    'error: svc/invalid-permit for a permit %s, with the reason %s; sent to the router it moves nothing',
    async (_, reason, forge) => {
      const { quoted, step, permit } = await sign('tAUD')
      const forged = { ...permit, ...(await forge({ step, wallet, other, permit })) }
      await expectRefused(quoted, forged, reason)
      const before = await readAll()
      await expectReverted(wallet, quoted, { permit: forged, code: 'svc/insufficient-allowance' })
      expect(await readAll()).toEqual(before)
      expect(await readAllowance(chain, quoted.tokenIn.address, [wallet.address, router])).toBe(0n)
    },
  )

  const byPermit2: readonly (readonly [name: string, reason: string, forge: Forge])[] = [
    ['of another account', 'signer', signedByOther],
    ['for another spender', 'signer', signed(() => ({ message: { spender: stranger } }))],
    ['for another chain', 'domain', signed(() => ({ domain: { chainId: otherChainId } }))],
    ['for another Permit2', 'signer', signed(() => ({ domain: { verifyingContract: stranger } }))],
    ['of another deadline', 'signer', signed(() => ({ message: { deadline: '4102444800' } }))],
    ['of another nonce', 'nonce', signed(() => ({ message: { nonce: '1' } }), { nonce: '1' })],
    [
      'for another token',
      'signer',
      signed(({ message }) => ({
        message: { permitted: { ...(message['permitted'] as object), token: tokenOf('tAUD') } },
      })),
    ],
    [
      'for another recipient',
      'signer',
      signed(({ message }) => ({ message: { witness: { ...(message['witness'] as object), recipient: stranger } } })),
    ],
    [
      'of another minimum',
      'signer',
      signed(({ message }) => ({ message: { witness: { ...(message['witness'] as object), minTargetAmount: '1' } } })),
    ],
    ['of zeros', 'signer', async () => ({ signature: `0x${'00'.repeat(65)}` })],
    ['that is too short', 'signer', async ({ permit }) => ({ signature: permit.signature.slice(0, -4) })],
  ]

  it.each(byPermit2)(
    'error: svc/invalid-permit for a signature by Permit2 %s, with the reason %s; sent to the router it moves nothing',
    async (_, reason, forge) => {
      const { quoted, step, permit } = await sign('tUSD')
      const forged = { ...permit, ...(await forge({ step, wallet, other, permit })) }
      await expectRefused(quoted, forged, reason)
      const before = await readAll()
      // The other account may send what it has signed.
      for (const sender of forge === signedByOther ? [wallet] : [wallet, other]) {
        const direct = { permit: { ...forged, nonce: permit.nonce ?? '' }, code: 'svc/invalid-permit' }
        const { message, revert } = await expectReverted(sender, quoted, direct)
        expect(revert.name).toMatch(/^Invalid(Signer|Signature|SignatureLength)$/)
        expect(message).toContain('did not sign')
      }
      expect(await readAll()).toEqual(before)
    },
  )

  it('a valid signature by Permit2 moves nothing if another account sends it, or another recipient is named', async () => {
    const { quoted, permit } = await sign('tUSD')
    const before = await readAll()
    expect(await sendDirectly(other, quoted, { permit })).toMatchObject({ status: 'reverted' })
    expect(await sendDirectly(other, quoted, { permit, recipient: other.address })).toMatchObject({
      status: 'reverted',
    })
    expect(await sendDirectly(wallet, quoted, { permit, recipient: stranger })).toMatchObject({ status: 'reverted' })
    expect(await readAll()).toEqual(before)
    expect(await sendDirectly(wallet, quoted, { permit })).toMatchObject({ status: 'success' })
  })

  it('a valid signature by Permit2 reverts for the missing allowance of Permit2, which the receipt names', async () => {
    const { quoted, permit } = await sign('tUSD')
    await approve(wallet, tokenOf('tUSD'), [permit2Address, 0n])
    const failure = await expectReverted(wallet, quoted, { permit, code: 'svc/insufficient-allowance' })
    expect(failure.message).toContain('10.000000 tUSD')
    await approve(wallet, tokenOf('tUSD'), [permit2Address])
  })

  it('the second form of a signature by Permit2, which Permit2 accepts too, pays no second conversion', async () => {
    const { quoted, step, permit } = await sign('tUSD')
    const second = { ...permit, ...(await malleate({ step, wallet, other, permit })) }
    expect(await sendDirectly(wallet, quoted, { permit })).toMatchObject({ status: 'success' })
    const before = await readAll()
    await expectRefused(quoted, second, 'nonce')
    expect(await sendDirectly(wallet, quoted, { permit: second })).toMatchObject({ status: 'reverted' })
    expect(await readAll()).toEqual(before)
  })

  it('a valid permit that another account sends to the router takes only the tokens of that account', async () => {
    const { quoted, permit } = await sign('tAUD')
    const owned = async () => [
      await readBalance(chain, quoted.tokenIn.address, wallet.address),
      await readBalance(chain, quoted.tokenIn.address, other.address),
    ]
    const [ownBefore = 0n, otherBefore = 0n] = await owned()
    const mined = await sendDirectly(other, quoted, { permit, recipient: other.address })
    expect(mined).toMatchObject({ status: 'success' })
    expect(await owned()).toEqual([ownBefore, otherBefore - 10_000_000n])
    expect(await sendDirectly(wallet, quoted, { permit })).toMatchObject({ status: 'success' })
    expect(await owned()).toEqual([ownBefore - 10_000_000n, otherBefore - 10_000_000n])
  })
})
