import type { SignedSwap } from '@agio/chain'
import { permitRouterAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi, maxUint256, toHex, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { placeRefuser } from '../reverts/placeRefuser.ts'
import { sendTransaction, writeContract } from '../harness/writeContract.ts'
import { alterSignature } from './alterSignature.ts'
import { signByEthers } from './signByEthers.ts'
import { amountRaw, startPermitStack, type Holder, type PermitStack } from './startPermitStack.ts'

const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

// The selector of Permit2's InvalidNonce.
const invalidNonce = '0x756688fe'

let stack: PermitStack

beforeAll(async () => {
  stack = await startPermitStack()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

const modes = {
  'an exact input': {},
  'an exact output': { mode: 'exact-out', maxAmountInRaw: amountRaw, amountOutRaw: 10_000_000n },
} as const

describe('a signature that Permit2 accepts', () => {
  it.each(Object.entries(modes))(
    'viem and ethers sign the same for %s; it passes, and pays the conversion once',
    async (_, terms) => {
      const holder = await createOwner()
      const swap = { ...stack.toSwap(holder.address), ...terms } as SignedSwap
      const quoteDigest = createDigest()
      const typedData = stack.chain.permits.toPermit2TypedData({ swap, quoteDigest })
      const signature = await holder.sign(typedData)
      expect(await signByEthers(holder.key, typedData)).toBe(signature)
      const request = { owner: holder.address, swap, permit: { kind: 'permit2', quoteDigest, signature } } as const
      await stack.chain.permits.verify(request)
      await sendTransaction(stack.owner.client, toTransaction(request))
      await expect(stack.chain.permits.verify(request)).rejects.toMatchObject(refusal('nonce'))
      await expect(callRouter(request)).rejects.toThrow(invalidNonce)
    },
  )

  it.each(['malleable', 'compact'] as const)('a signature that is %s passes, as Permit2 accepts it', async (form) => {
    const holder = await createOwner()
    const request = await sign(holder)
    const signature = alterSignature(request.permit.signature, form)
    const altered = { ...request, permit: { ...request.permit, signature } }
    await stack.chain.permits.verify(altered)
    await sendTransaction(stack.owner.client, toTransaction(altered))
  })

  it('a missing balance and a missing allowance of Permit2 are not a refusal of the signature', async () => {
    const holder = await stack.createHolder([])
    const request = await sign(holder)
    await stack.chain.permits.verify(request)
    await approvePermit2(holder.address)
    await stack.chain.permits.verify(request)
    await expect(callRouter(request)).rejects.toThrow('TRANSFER_FROM_FAILED')
  })

  it('a token that reverts every transfer is not a refusal of the signature, with any code of the account', async () => {
    const { chain, local, owner } = stack
    const [plain, lax, strict] = [
      await createOwner(),
      await createOwner('LaxDelegate'),
      await createOwner('StrictDelegate'),
    ]
    const refuser = await placeRefuser(local, local.tokens.tAUD)
    const transfer = 'transferFrom(address,address,uint256)'
    await refuser.refuse(transfer, '0x12345678')
    onTestFinished(async () => void (await refuser.allow(transfer)))
    await chain.permits.verify(await sign(plain))
    await chain.permits.verify(await sign(lax))
    await expect(chain.permits.verify(await sign(strict))).rejects.toMatchObject(refusal('signer'))
    expect(await owner.client.getCode({ address: lax.address })).toMatch(/^0xef0100/)
  })
})

describe('a signature that Permit2 refuses', () => {
  it('a signature for a conversion whose deadline is before the newest block is refused by its deadline', async () => {
    const { timestamp } = await stack.owner.client.getBlock()
    const request = await sign(await createOwner(), { deadlineSeconds: timestamp - 1n })
    await expectRefused(request, 'deadline')
  })

  it('a signature with a nonce that differs from its quote is refused by its nonce', async () => {
    const request = await sign(await createOwner())
    await stack.chain.permits.verify({ ...request, nonce: BigInt(request.permit.quoteDigest) })
    const other = { ...request, nonce: BigInt(request.permit.quoteDigest) + 1n }
    await expect(stack.chain.permits.verify(other)).rejects.toMatchObject(refusal('nonce'))
  })

  it('a signature of another account is refused by its signer', async () => {
    const [holder, other] = [await createOwner(), await createOwner()]
    const { permit } = await sign({ ...other, address: holder.address })
    await expectRefused({ ...(await sign(holder)), permit }, 'signer')
  })

  it.each<readonly [string, (request: Request) => Partial<SignedSwap>]>([
    ['recipient', () => ({ recipient: permit2 })],
    ['target', () => ({ tokenOut: stack.local.tokens.tEUR })],
    ['limit', () => ({ minAmountOutRaw: 2n })],
    ['amount', () => ({ amountInRaw: amountRaw - 1n })],
    ['deadline', ({ swap }) => ({ deadlineSeconds: swap.deadlineSeconds - 1n })],
  ])('a signature for another %s of the conversion is refused by its signer', async (_, toChanges) => {
    const request = await sign(await createOwner())
    await expectRefused({ ...request, swap: { ...request.swap, ...toChanges(request) } as SignedSwap }, 'signer')
  })

  it('a signature for another quote is refused by its signer', async () => {
    const request = await sign(await createOwner())
    await expectRefused({ ...request, permit: { ...request.permit, quoteDigest: createDigest() } }, 'signer')
  })

  it('a signature for another network is refused by its domain', async () => {
    const holder = await createOwner()
    const request = await sign(holder)
    const { swap, permit } = request
    const typedData = stack.chain.permits.toPermit2TypedData({ swap, quoteDigest: permit.quoteDigest })
    const signature = await holder.sign({ ...typedData, domain: { ...typedData.domain, chainId: 421614 } })
    await expectRefused({ ...request, permit: { ...permit, signature } }, 'domain')
  })

  it.each(['short v', 'empty', 'truncated'] as const)(
    'a signature that is %s is refused by its signer',
    async (form) => {
      const request = await sign(await createOwner())
      const signature = alterSignature(request.permit.signature, form)
      await expectRefused({ ...request, permit: { ...request.permit, signature } }, 'signer')
    },
  )

  it('without Permit2 on the chain, every signature is refused by its domain', async () => {
    const { chain, owner } = stack
    const request = await sign(await createOwner())
    await chain.permits.verify(request)
    const bytecode = (await owner.client.getCode({ address: permit2 })) ?? '0x'
    onTestFinished(() => owner.client.setCode({ address: permit2, bytecode }))
    await owner.client.setCode({ address: permit2, bytecode: '0x' })
    await expect(chain.permits.verify(request)).rejects.toMatchObject(refusal('domain'))
  })
})

describe('the signature of an account with code', () => {
  it('a plain signature passes if the delegate of the account is lax, and pays the conversion', async () => {
    const request = await sign(await createOwner('LaxDelegate'))
    await stack.chain.permits.verify(request)
    await sendTransaction(stack.owner.client, toTransaction(request))
  })

  it('a plain signature is refused by its signer if the delegate of the account is strict', async () => {
    await expectRefused(await sign(await createOwner('StrictDelegate')), 'signer')
  })

  it('the signature of a contract passes by ERC-1271 if its owner has signed, and is refused by its signer if another has', async () => {
    const { chain, owner } = stack
    const [holder, other] = [await createOwner(), await createOwner()]
    const account = await owner.deploy('testing/OwnedAccount', [holder.address])
    await chain.permits.verify(await sign({ ...holder, address: account }))
    await expectRefused(await sign({ ...other, address: account }), 'signer')
  })

  it.each([
    ['has no ERC-1271', 'BatchAccount', []],
    ['reverts with a reason', 'BrokenContract', [0]],
    ['uses up all gas', 'BrokenContract', [1]],
    ['returns too little', 'BrokenContract', [2]],
    ['returns ones', 'BrokenContract', [3]],
  ])('the signature of a contract that %s is refused by its signer', async (_, contract, args) => {
    const account = await stack.owner.deploy(`testing/${contract}`, args)
    await expectRefused(await sign({ ...(await createOwner()), address: account }), 'signer')
  })
})

type Request = {
  readonly owner: Address
  readonly swap: SignedSwap
  readonly permit: { readonly kind: 'permit2'; readonly quoteDigest: Hex; readonly signature: Hex }
}

/** An account with tAUD that has approved it to Permit2, without code or with the code of a delegate. */
async function createOwner(delegate?: string): Promise<Holder> {
  const holder = await stack.createHolder()
  await approvePermit2(holder.address)
  if (delegate) await holder.delegate(await stack.owner.deploy(`testing/${delegate}`, []))
  return holder
}

async function approvePermit2(account: Address): Promise<void> {
  await writeContract(stack.owner.client, {
    address: stack.local.tokens.tAUD,
    abi: erc20Abi,
    functionName: 'approve',
    args: [permit2, maxUint256],
    account,
  })
}

function createDigest(): Hex {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}

/** A conversion of an account, with the signature of a key for a new quote. */
async function sign(
  { address, sign: signData }: Pick<Holder, 'address' | 'sign'>,
  changes: Parameters<PermitStack['toSwap']>[1] = {},
): Promise<Request> {
  const [swap, quoteDigest] = [stack.toSwap(address, changes), createDigest()]
  const signature = await signData(stack.chain.permits.toPermit2TypedData({ swap, quoteDigest }))
  return { owner: address, swap, permit: { kind: 'permit2', quoteDigest, signature } }
}

/** The transaction of the owner that the signature pays. */
function toTransaction({ owner, swap, permit }: Request) {
  const { router, referenceToken } = stack.local.deployment
  const parties = { quote: referenceToken, origin: swap.tokenIn, target: swap.tokenOut }
  const end = { recipient: swap.recipient, deadline: swap.deadlineSeconds }
  const data =
    swap.mode === 'exact-in'
      ? encodeFunctionData({
          abi: permitRouterAbi,
          functionName: 'originSwapWithPermit2',
          args: [
            { ...parties, originAmount: swap.amountInRaw, minTargetAmount: swap.minAmountOutRaw, ...end },
            permit.quoteDigest,
            permit.signature,
          ],
        })
      : encodeFunctionData({
          abi: permitRouterAbi,
          functionName: 'targetSwapWithPermit2',
          args: [
            { ...parties, maxOriginAmount: swap.maxAmountInRaw, targetAmount: swap.amountOutRaw, ...end },
            permit.quoteDigest,
            permit.signature,
          ],
        })
  return { account: owner, to: router, data }
}

async function callRouter(request: Request): Promise<void> {
  await stack.owner.client.call(toTransaction(request))
}

/** Expects that a signature is refused, and that the conversion that it pays would revert. */
async function expectRefused(request: Request, reason: string): Promise<void> {
  await expect(stack.chain.permits.verify(request)).rejects.toMatchObject(refusal(reason))
  await expect(callRouter(request)).rejects.toThrow('revert')
}

function refusal(reason: string) {
  return { code: 'svc/invalid-permit', details: { reason } }
}
