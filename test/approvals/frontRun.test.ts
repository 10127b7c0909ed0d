import { permit2Address } from '@agio/chain'
import { encodeFunctionData, parseAbi, parseSignature, type Hex } from 'viem'
import { describe, expect, inject, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { readBalance } from '../harness/readBalance.ts'
import { createHolder } from '../harness/createHolder.ts'
import { approve, send } from './approve.ts'
import { readAllowance } from './readAllowance.ts'
import { requestPlan } from './requestPlan.ts'
import { requestPreviewed, requestQuoted, type Conversion, type Terms } from './requestTerms.ts'
import { signStep, type Permit } from './signStep.ts'
import type { Sendable, Wallet } from '../harness/Wallet.ts'

const [target] = inject('targets')
const chain = target.chains[target.chainId]

const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)',
])

const refused = (reason: string) => ({
  status: 422,
  failure: { code: 'svc/invalid-permit', reason, action: 'approve', retryable: false },
})

const call = createRestCaller(target)

describe('a signature that is used by another transaction first', () => {
  const { router } = chain.deployment

  it.each([
    { from: 'tAUD', to: 'tUSD', amountIn: '20' },
    { from: 'tAUD', to: 'tEUR', amountOut: '20' },
  ])('a conversion works if another account has sent its permit first: %j', async (conversion) => {
    const { wallet, terms, permit, build } = await sign(conversion)
    const built = await build()
    expect(built).toMatchObject({ status: 200, data: { issues: [] } })
    await sendPermit(await createHolder(chain, {}, 'ethers'), wallet, { terms, permit })
    expect(await readAllowance(chain, terms.tokenIn, [wallet.address, router])).toBe(terms.capRaw)
    expect(await build()).toMatchObject({ status: 200, data: { issues: [] } })
    await expectConverted(wallet, terms, built.data?.['transaction'] as Sendable)
  })

  it('error: svc/invalid-permit for a permit that was sent, and whose allowance was spent', async () => {
    const { wallet, terms, permit, build } = await sign({ from: 'tAUD', to: 'tUSD', amountIn: '20' })
    const built = await build()
    await sendPermit(await createHolder(chain, {}, 'ethers'), wallet, { terms, permit })
    const spent = await requestPreviewed(call, chain, { from: 'tAUD', to: 'tUSD', amountIn: '20' })
    const other = await call('transaction.buildConvert', { ...spent.build, userAddress: wallet.address })
    expect(other).toMatchObject({ status: 200, data: { issues: [] } })
    await expectConverted(wallet, spent, other.data?.['transaction'] as Sendable)
    expect(await build()).toMatchObject(refused('nonce'))
    // The transaction that was built before reverts, and moves nothing.
    const before = await readBalance(chain, terms.tokenIn, wallet.address)
    expect(await wallet.send(built.data?.['transaction'] as Sendable)).toMatchObject({ status: 'reverted' })
    expect(await readBalance(chain, terms.tokenIn, wallet.address)).toBe(before)
  })

  it('error: svc/invalid-permit for a signature by Permit2 whose quote was executed', async () => {
    const { wallet, terms, build } = await sign({ from: 'tUSD', to: 'tEUR', amountIn: '20' })
    const built = await build()
    await expectConverted(wallet, terms, built.data?.['transaction'] as Sendable)
    expect(await build()).toMatchObject(refused('nonce'))
    const { hash, status } = await wallet.send(built.data?.['transaction'] as Sendable)
    expect(status).toBe('reverted')
    const message = expect.stringContaining('nonce')
    const failure = { code: 'svc/invalid-permit', message, revert: { name: 'InvalidNonce' } }
    expect(await call('convert.receipt', { chainId: chain.chainId, transactionHash: hash })).toMatchObject({
      data: { status: 'failed', mode: 'exact-in', payer: wallet.address, tokenIn: { symbol: 'tUSD' }, failure },
    })
  })

  it('error: svc/invalid-permit for a signature by Permit2 whose nonce its owner has invalidated', async () => {
    const { wallet, permit, build } = await sign({ from: 'tUSD', to: 'tAUD', amountOut: '20' })
    const nonce = BigInt(permit.nonce ?? '')
    const args = [nonce >> 8n, 1n << (nonce & 255n)] as const
    const data = encodeFunctionData({ abi: permitAbi, functionName: 'invalidateUnorderedNonces', args })
    await send(wallet, { to: permit2Address, data })
    expect(await build()).toMatchObject(refused('nonce'))
  })

  /** A new wallet that has signed a conversion and holds enough, and how to build it, any number of times. */
  async function sign(conversion: Conversion) {
    const wallet = await createHolder(chain, { [conversion.from]: '1000' }, 'ethers')
    const terms = await requestQuoted(call, chain, conversion)
    if (conversion.from !== 'tAUD') await approve(wallet, terms.tokenIn, [permit2Address])
    const { steps } = await requestPlan(call, { ...terms.plan, ownerAddress: wallet.address })
    const permit = await signStep(wallet, steps[0])
    const build = () => call('transaction.buildConvert', { ...terms.build, userAddress: wallet.address, permit })
    return { wallet, terms, permit, build }
  }

  async function expectConverted(wallet: Wallet, terms: Terms, transaction: Sendable): Promise<void> {
    const read = async () => [
      await readBalance(chain, terms.tokenIn, wallet.address),
      await readBalance(chain, terms.tokenOut, wallet.address),
    ]
    const [paid = 0n, received = 0n] = await read()
    await send(wallet, transaction)
    expect(await read()).toEqual([paid - terms.inRaw, received + terms.outRaw])
  }

  /** Sends the permit of a wallet from another account. */
  async function sendPermit(
    sender: Wallet,
    owner: Wallet,
    { terms, permit }: { readonly terms: Terms; readonly permit: Permit },
  ): Promise<void> {
    const { r, s, v = 0n } = parseSignature(permit.signature as Hex)
    const args = [owner.address, router, terms.capRaw, BigInt(permit.deadline), Number(v), r, s] as const
    const data = encodeFunctionData({ abi: permitAbi, functionName: 'permit', args })
    await send(sender, { to: terms.tokenIn, data })
  }
})
