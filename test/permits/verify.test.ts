import { permit2Address, type TypedData } from '@agio/chain'
import { permitRouterAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import {
  concatHex,
  encodeErrorResult,
  encodeFunctionData,
  maxUint256,
  numberToHex,
  parseAbi,
  parseSignature,
  toHex,
  type Hex,
} from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { placeRefuser } from '../reverts/placeRefuser.ts'
import { sendTransaction, writeContract } from '../harness/writeContract.ts'
import { setUp } from '../harness/setUp.ts'
import { amountRaw, deadlineSeconds, startPermitStack, type Holder, type PermitStack } from './startPermitStack.ts'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const stack = setUp(startPermitStack)
/** A token whose permits verify the signatures of contracts too. */
let bytesToken: Address

beforeAll(async () => {
  bytesToken = await deployBytesToken('USD Coin')
  await stack.chain.permits.getTokenPermits(bytesToken)
})

const verify = (request: Request) => stack.chain.permits.verify(request)

describe('a permit', () => {
  it('a permit passes until the time of the newest block is after its deadline, by no clock of the service', async () => {
    const { client } = stack.owner
    const { timestamp } = await client.getBlock()
    const request = await signPermit(await stack.createHolder(), { deadlineSeconds: timestamp + 1000n })
    await client.setNextBlockTimestamp({ timestamp: timestamp + 1000n })
    await client.mine({ blocks: 1 })
    await expectAccepted(request)
    await client.setNextBlockTimestamp({ timestamp: timestamp + 1001n })
    await client.mine({ blocks: 1 })
    await expectRefused(request, 'deadline')
  })

  it('a permit with a nonce that the caller names and the token does not expect is refused by its nonce', async () => {
    const request = await signPermit(await stack.createHolder(), { nonce: 77n })
    await expectRefused(request, 'signer')
    await expectRefused({ ...request, nonce: 77n }, 'nonce')
  })

  it('a permit that would lower an allowance below the conversion is refused by its amount', async () => {
    const holder = await stack.createHolder()
    await approve(holder.address, stack.local.deployment.router)
    await expectRefused(await signPermit(holder, { valueRaw: amountRaw - 1n }), 'amount')
  })

  it('a permit that a token refuses passes if the allowance covers the conversion', async () => {
    const holder = await stack.createHolder()
    const request = withSignature(await signPermit(holder), numberToHex(1, { size: 65 }))
    await expectRefused(request, 'signer')
    await approve(holder.address, stack.local.deployment.router)
    await expectAccepted(request)
  })

  it('a token without permits refuses every signature, unless the allowance covers the conversion', async () => {
    const [holder, { tUSD: tokenIn, tAUD: tokenOut }] = [await stack.createHolder(), stack.local.tokens]
    const request = { ...(await signPermit(holder)), swap: stack.toSwap(holder.address, { tokenIn, tokenOut }) }
    await expectRefused(request, 'domain')
    await approve(holder.address, stack.local.deployment.router, tokenIn)
    await verify(request)
  })

  it('the permit of a contract at a token that only recovers keys is refused by its signer', async () => {
    const holder = await stack.createHolder()
    const address = await stack.owner.deploy('testing/OwnedAccount', [holder.address])
    await expectRefused(await signPermit({ ...holder, address }), 'signer')
  })

  it('the reason of a token that refuses permits for now is a revert of the token, not a fault of the signature', async () => {
    const token = await deployBytesToken('Paused Coin')
    const request = await signPermit(await stack.createHolder([token]), {}, token)
    await verify(request)
    const refuser = await placeRefuser(stack.local, token)
    await refuser.refuse(
      'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
      encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['Paused'] }),
    )
    await expect(verify(request)).rejects.toMatchObject({
      code: 'svc/reverted',
      details: { revert: { name: 'Error', args: ['Paused'] } },
    })
  })
})

describe('a signature for Permit2', () => {
  it.each<readonly [string, (signature: Hex) => Hex]>([
    ['malleable', (signature) => toTwin(signature)],
    ['compact', (signature) => toCompact(signature)],
  ])('a signature that is %s passes, as Permit2 accepts it', async (_, alter) => {
    const signed = await signPermit2(await createOwner())
    const request = withSignature(signed, alter(signed.permit.signature))
    await verify(request)
    await sendTransaction(stack.owner.client, toTransaction(request))
  })

  it('a missing balance and a missing allowance of Permit2 are not a refusal of the signature', async () => {
    const holder = await stack.createHolder([])
    const request = await signPermit2(holder)
    await verify(request)
    await approve(holder.address, permit2Address)
    await verify(request)
    await expect(callRouter(request)).rejects.toThrow('TRANSFER_FROM_FAILED')
  })

  it('a token that reverts every transfer is not a refusal of the signature, with any code of the account', async () => {
    const { local, owner } = stack
    const [plain, lax, strict] = [
      await createOwner(),
      await createOwner('LaxDelegate'),
      await createOwner('StrictDelegate'),
    ]
    const refuser = await placeRefuser(local, local.tokens.tAUD)
    const transfer = 'transferFrom(address,address,uint256)'
    await refuser.refuse(transfer, '0x12345678')
    onTestFinished(async () => void (await refuser.allow(transfer)))
    await verify(await signPermit2(plain))
    await verify(await signPermit2(lax))
    await expectRefused(await signPermit2(strict), 'signer')
    expect(await owner.client.getCode({ address: lax.address })).toMatch(/^0xef0100/)
  })

  it('a signature for a conversion whose deadline is before the newest block is refused by its deadline', async () => {
    const { timestamp } = await stack.owner.client.getBlock()
    await expectRefused(await signPermit2(await createOwner(), { deadlineSeconds: timestamp - 1n }), 'deadline')
  })

  it('without Permit2 on the chain, every signature is refused by its domain', async () => {
    const { client } = stack.owner
    const request = await signPermit2(await createOwner())
    await verify(request)
    const bytecode = (await client.getCode({ address: permit2Address })) ?? '0x'
    onTestFinished(() => client.setCode({ address: permit2Address, bytecode }))
    await client.setCode({ address: permit2Address, bytecode: '0x' })
    await expect(verify(request)).rejects.toMatchObject(refusal('domain'))
  })

  it.each([
    ['has no ERC-1271', 'BatchAccount', []],
    ['reverts with a reason', 'BrokenContract', [0]],
    ['uses up all gas', 'BrokenContract', [1]],
    ['returns too little', 'BrokenContract', [2]],
    ['returns ones', 'BrokenContract', [3]],
  ])('the signature of a contract that %s is refused by its signer', async (_, contract, args) => {
    const address = await stack.owner.deploy(`testing/${contract}`, args)
    await expectRefused(await signPermit2({ ...(await createOwner()), address }), 'signer')
  })
})

type Request = Parameters<PermitStack['chain']['permits']['verify']>[0]
type Terms = Partial<Parameters<PermitStack['chain']['permits']['toTypedData']>[0]>
type Signer = Pick<Holder, 'address' | 'sign'>

async function deployBytesToken(name: string): Promise<Address> {
  return await stack.owner.deploy('testing/BytesPermitToken', [name, name, 6, stack.owner.address])
}

/** An account with tAUD that has approved it to Permit2, without code or with the code of a delegate. */
async function createOwner(delegate?: string): Promise<Holder> {
  const holder = await stack.createHolder()
  await approve(holder.address, permit2Address)
  if (delegate) await holder.delegate(await stack.owner.deploy(`testing/${delegate}`, []))
  return holder
}

async function approve(account: Address, spender: Address, address = stack.local.tokens.tAUD): Promise<void> {
  const args = [spender, spender === permit2Address ? maxUint256 : amountRaw] as const
  await writeContract(stack.owner.client, { address, abi: tokenAbi, functionName: 'approve', args, account })
}

async function readDomain(token: Address): Promise<TypedData['domain']> {
  return (await stack.chain.permits.getTokenPermits(token)).domain ?? {}
}

/** A conversion of an account, with the first permit of a key. */
async function signPermit({ address, sign }: Signer, changes: Terms = {}, token = stack.local.tokens.tAUD) {
  const domain = await readDomain(token)
  const terms = { domain, owner: address, valueRaw: amountRaw, nonce: 0n, deadlineSeconds, ...changes }
  const signature = await sign(stack.chain.permits.toTypedData(terms))
  const permit = { amountRaw: terms.valueRaw, deadlineSeconds: terms.deadlineSeconds, signature }
  const swap = stack.toSwap(address, { tokenIn: token })
  return { owner: address, swap, permit: { kind: 'permit', ...permit } } as const
}

/** A conversion of an account, with the signature of a key for a new quote. */
async function signPermit2({ address, sign }: Signer, changes: Parameters<PermitStack['toSwap']>[1] = {}) {
  const swap = stack.toSwap(address, changes)
  const quoteDigest = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const signature = await sign(stack.chain.permits.toPermit2TypedData({ swap, quoteDigest }))
  return { owner: address, swap, permit: { kind: 'permit2', quoteDigest, signature } } as const
}

function withSignature({ permit, ...request }: Request, signature: Hex): Request {
  return { ...request, permit: { ...permit, signature } }
}

/** The second signature of the same key for the same data: another s, and the other v. */
function toTwin(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return concatHex([r, numberToHex(curveOrder - BigInt(s), { size: 32 }), numberToHex(28 - yParity)])
}

/** The 64 bytes of EIP-2098. */
function toCompact(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return concatHex([r, numberToHex(BigInt(s) | (BigInt(yParity) << 255n), { size: 32 })])
}

/** The transaction of the owner that the signature pays. */
function toTransaction({ owner, swap, permit }: Request) {
  const { router, referenceToken: quote } = stack.local.deployment
  const { tokenIn: origin, tokenOut: target, recipient, deadlineSeconds: deadline } = swap
  const order = { quote, origin, target, originAmount: amountRaw, minTargetAmount: 1n, recipient, deadline }
  const { signature } = permit
  const data =
    permit.kind === 'permit'
      ? encodeFunctionData({
          abi: permitRouterAbi,
          functionName: 'originSwapWithPermit',
          args: [order, { amount: permit.amountRaw, deadline: permit.deadlineSeconds, signature }],
        })
      : encodeFunctionData({
          abi: permitRouterAbi,
          functionName: 'originSwapWithPermit2',
          args: [order, permit.quoteDigest, signature],
        })
  return { account: owner, to: router, data }
}

async function callRouter(request: Request): Promise<void> {
  await stack.owner.client.call(toTransaction(request))
}

/** Expects that a signature passes, and that the conversion that it pays would succeed. */
async function expectAccepted(request: Request): Promise<void> {
  await verify(request)
  await callRouter(request)
}

/** Expects that a signature is refused, and that the conversion that it pays would revert. */
async function expectRefused(request: Request, reason: string): Promise<void> {
  await expect(verify(request)).rejects.toMatchObject(refusal(reason))
  await expect(callRouter(request)).rejects.toThrow('revert')
}

function refusal(reason: string) {
  return { code: 'svc/invalid-permit', details: { reason } }
}
