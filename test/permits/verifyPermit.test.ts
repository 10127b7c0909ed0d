import type { TypedData } from '@agio/chain'
import { permitRouterAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import {
  encodeFunctionData,
  erc20Abi,
  hexToNumber,
  maxUint256,
  numberToHex,
  parseAbi,
  slice,
  zeroAddress,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placeRefuser } from '../reverts/placeRefuser.ts'
import { writeContract } from '../harness/writeContract.ts'
import { alterSignature } from './alterSignature.ts'
import { signByEthers } from './signByEthers.ts'
import { amountRaw, deadlineSeconds, startPermitStack, type Holder, type PermitStack } from './startPermitStack.ts'

const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

let stack: PermitStack
let bytesToken: Address

beforeAll(async () => {
  stack = await startPermitStack()
  const { owner, chain } = stack
  bytesToken = await owner.deploy('testing/BytesPermitToken', ['USD Coin', 'USDC', 6, owner.address])
  await chain.permits.getTokenPermits(bytesToken)
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe('a permit that the token accepts', () => {
  it.each([
    ['the amount', amountRaw],
    ['more than the amount', amountRaw + 1n],
    ['an unlimited amount', maxUint256],
  ])('a permit of an account for %s passes, and pays the conversion', async (_, valueRaw) => {
    const holder = await stack.createHolder()
    const permit = await sign(holder, { valueRaw })
    await expectAccepted(holder, permit)
    const { router } = stack.local.deployment
    const before = await balanceOf(holder.address)
    await writeContract(stack.owner.client, toRouterCall(holder, permit))
    expect(before - (await balanceOf(holder.address))).toBe(amountRaw)
    expect(await allowanceOf(holder.address)).toBe(valueRaw === maxUint256 ? maxUint256 : valueRaw - amountRaw)
    expect(await balanceOf(router)).toBe(0n)
  })

  it('viem and ethers sign the same for a permit, whichever fields its domain has', async () => {
    const { chain, owner, createHolder } = stack
    const holder = await createHolder()
    const salted = { fields: 0b11011, name: 'Dollar', version: '', chainId: 0, verifyingContract: zeroAddress }
    const salt = numberToHex(84532, { size: 32 })
    const odd = { ...salted, salt, reports: true, hasVersion: false, isWrong: false }
    for (const token of [stack.local.tokens.tAUD, await owner.deploy('testing/DomainToken', [odd])]) {
      const typedData = chain.permits.toTypedData(await termsOf(holder, {}, token))
      const signature = await holder.sign(typedData)
      expect(await signByEthers(holder.key, typedData)).toBe(signature)
      const permit = { kind: 'permit', amountRaw, deadlineSeconds, signature } as const
      await chain.permits.verify({
        owner: holder.address,
        swap: stack.toSwap(holder.address, { tokenIn: token }),
        permit,
      })
    }
  })

  it('a permit whose deadline is the time of the newest block passes', async () => {
    const holder = await stack.createHolder()
    const { timestamp } = await stack.owner.client.getBlock()
    await expectAccepted(holder, await sign(holder, { deadlineSeconds: timestamp }))
  })

  it('a permit that another account has sent passes while its allowance is there, and is refused by its nonce once that is spent', async () => {
    const holder = await stack.createHolder()
    const permit = await sign(holder, {})
    const [r, s, v] = [slice(permit.signature, 0, 32), slice(permit.signature, 32, 64), slice(permit.signature, 64)]
    const args = [
      holder.address,
      stack.local.deployment.router,
      amountRaw,
      deadlineSeconds,
      hexToNumber(v),
      r,
      s,
    ] as const
    const { tAUD } = stack.local.tokens
    await writeContract(stack.owner.client, { address: tAUD, abi: permitAbi, functionName: 'permit', args })
    await expectAccepted(holder, permit)
    await writeContract(stack.owner.client, toRouterCall(holder, permit))
    await expectRefused(holder, { permit, reason: 'nonce' })
  })

  it('a permit that a token refuses passes if the allowance covers the conversion', async () => {
    const holder = await stack.createHolder()
    const permit = { ...(await sign(holder, {})), signature: numberToHex(1, { size: 65 }) }
    await expectRefused(holder, { permit, reason: 'signer' })
    await approveRouter(holder.address, amountRaw)
    await expectAccepted(holder, permit)
  })

  it('a token without permits refuses every signature, unless the allowance covers the conversion', async () => {
    const { chain, toSwap, createHolder, local } = stack
    const [holder, { tUSD: tokenIn, tAUD: tokenOut }] = [await createHolder(), local.tokens]
    const request = {
      owner: holder.address,
      swap: toSwap(holder.address, { tokenIn, tokenOut }),
      permit: await sign(holder, {}),
    }
    await expect(chain.permits.verify(request)).rejects.toMatchObject(refusal('domain'))
    await approveRouter(holder.address, amountRaw, tokenIn)
    await chain.permits.verify(request)
  })
})

describe('a permit that the token refuses', () => {
  it('a permit whose deadline is before the newest block is refused by its deadline', async () => {
    const holder = await stack.createHolder()
    const { timestamp } = await stack.owner.client.getBlock()
    await expectRefused(holder, { permit: await sign(holder, { deadlineSeconds: timestamp - 1n }), reason: 'deadline' })
  })

  it('a deadline is judged by the time of the chain, not by the clock of the service', async () => {
    const { owner } = stack
    const holder = await stack.createHolder()
    const { timestamp } = await owner.client.getBlock()
    const permit = await sign(holder, { deadlineSeconds: timestamp + 1000n })
    await expectAccepted(holder, permit)
    await owner.client.setNextBlockTimestamp({ timestamp: timestamp + 1001n })
    await owner.client.mine({ blocks: 1 })
    await expectRefused(holder, { permit, reason: 'deadline' })
  })

  it.each([1n, 3n])('a permit for a nonce that is %d too high is refused by its nonce', async (nonce) => {
    const holder = await stack.createHolder()
    await expectRefused(holder, { permit: await sign(holder, { nonce }), reason: 'nonce' })
  })

  it('a permit with a nonce that the caller names and the token does not expect is refused by its nonce', async () => {
    const { chain, toSwap, createHolder } = stack
    const holder = await createHolder()
    const request = { owner: holder.address, swap: toSwap(holder.address), permit: await sign(holder, { nonce: 77n }) }
    await expect(chain.permits.verify(request)).rejects.toMatchObject(refusal('signer'))
    await expect(chain.permits.verify({ ...request, nonce: 77n })).rejects.toMatchObject(refusal('nonce'))
  })

  it('a permit that another account has signed is refused by its signer', async () => {
    const [holder, other] = [await stack.createHolder(), await stack.createHolder()]
    const typedData = stack.chain.permits.toTypedData(await termsOf(holder, {}))
    const permit = { ...(await sign(holder, {})), signature: await other.sign(typedData) }
    await expectRefused(holder, { permit, reason: 'signer' })
  })

  it('a permit for another spender is refused by its signer', async () => {
    const holder = await stack.createHolder()
    const typedData = stack.chain.permits.toTypedData(await termsOf(holder, {}))
    const message = { ...typedData.message, spender: holder.address }
    const permit = { ...(await sign(holder, {})), signature: await holder.sign({ ...typedData, message }) }
    await expectRefused(holder, { permit, reason: 'signer' })
  })

  it.each<readonly [string, (typedData: TypedData) => Promise<TypedData['domain']> | TypedData['domain']]>([
    ['another network', ({ domain }) => ({ ...domain, chainId: 421614 })],
    ['another version', ({ domain }) => ({ ...domain, version: '2' })],
    ['another token', async ({ domain }) => (await stack.chain.permits.getTokenPermits(bytesToken)).domain ?? domain],
  ])('a permit in the domain of %s is refused by its domain', async (_, toDomain) => {
    const holder = await stack.createHolder()
    const typedData = stack.chain.permits.toTypedData(await termsOf(holder, {}))
    const signature = await holder.sign({ ...typedData, domain: await toDomain(typedData) })
    await expectRefused(holder, { permit: { ...(await sign(holder, {})), signature }, reason: 'domain' })
  })

  it.each(['malleable', 'short v', 'compact', 'empty', 'truncated'] as const)(
    'a permit with a signature that is %s is refused by its signer',
    async (form) => {
      const holder = await stack.createHolder()
      const permit = await sign(holder, {})
      await expectRefused(holder, {
        permit: { ...permit, signature: alterSignature(permit.signature, form) },
        reason: 'signer',
      })
    },
  )

  it('a permit for less than the conversion takes is refused by its amount, also if it would lower an allowance', async () => {
    const holder = await stack.createHolder()
    const permit = await sign(holder, { valueRaw: amountRaw - 1n })
    await expectRefused(holder, { permit, reason: 'amount' })
    await approveRouter(holder.address, amountRaw)
    await expectRefused(holder, { permit, reason: 'amount' })
  })

  it('a permit with another amount than was signed is refused by its amount', async () => {
    const holder = await stack.createHolder()
    const permit = { ...(await sign(holder, { valueRaw: maxUint256 })), amountRaw }
    await expectRefused(holder, { permit, reason: 'amount' })
  })

  it('the reason of a token that refuses permits for now is a revert of the token, not a fault of the signature', async () => {
    const { chain, owner, toSwap, createHolder, local } = stack
    const token = await owner.deploy('testing/BytesPermitToken', ['Paused Coin', 'PAU', 6, owner.address])
    const holder = await createHolder([token])
    const permit = await sign(holder, {}, token)
    const request = { owner: holder.address, swap: toSwap(holder.address, { tokenIn: token }), permit }
    await chain.permits.verify(request)
    const refuser = await placeRefuser(local, token)
    await refuser.refuse(
      'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
      '0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000065061757365640000000000000000000000000000000000000000000000000000',
    )
    await expect(chain.permits.verify(request)).rejects.toMatchObject({
      code: 'svc/reverted',
      details: { revert: { name: 'Error', args: ['Paused'] } },
    })
  })
})

describe('the permit of an account with code', () => {
  it.each(['StrictDelegate', 'LaxDelegate'])(
    'the permit of an account that delegates to %s passes at a token that recovers keys',
    async (contract) => {
      await stack.chain.permits.verify(await signAsDelegate(contract, stack.local.tokens.tAUD))
    },
  )

  it('the permit of an account that delegates to a lax contract passes at a token that accepts ERC-1271', async () => {
    await stack.chain.permits.verify(await signAsDelegate('LaxDelegate', bytesToken))
  })

  it('the permit of an account that delegates to a strict contract is refused by its signer at a token that accepts ERC-1271', async () => {
    const verified = stack.chain.permits.verify(await signAsDelegate('StrictDelegate', bytesToken))
    await expect(verified).rejects.toMatchObject(refusal('signer'))
  })

  it('the permit of a contract passes by ERC-1271 if its owner has signed, and is refused by its signer if another has', async () => {
    const { chain, owner, toSwap, createHolder } = stack
    const [holder, other] = [await createHolder(), await createHolder()]
    const account = await owner.deploy('testing/OwnedAccount', [holder.address])
    const typedData = chain.permits.toTypedData({ ...(await termsOf(holder, {}, bytesToken)), owner: account })
    const swap = toSwap(account, { tokenIn: bytesToken })
    const verify = async (signature: Hex) =>
      await chain.permits.verify({
        owner: account,
        swap,
        permit: { kind: 'permit', amountRaw, deadlineSeconds, signature },
      })
    await verify(await holder.sign(typedData))
    await expect(verify(await other.sign(typedData))).rejects.toMatchObject(refusal('signer'))
  })

  it('the permit of a contract at a token that only recovers keys is refused by its signer', async () => {
    const { chain, owner, toSwap, createHolder } = stack
    const holder = await createHolder()
    const account = await owner.deploy('testing/OwnedAccount', [holder.address])
    const typedData = chain.permits.toTypedData({ ...(await termsOf(holder, {})), owner: account })
    const permit = { kind: 'permit', amountRaw, deadlineSeconds, signature: await holder.sign(typedData) } as const
    await expect(chain.permits.verify({ owner: account, swap: toSwap(account), permit })).rejects.toMatchObject(
      refusal('signer'),
    )
  })
})

type Permit = Extract<Parameters<PermitStack['chain']['permits']['verify']>[0]['permit'], { kind: 'permit' }>

type Terms = { readonly valueRaw?: bigint; readonly nonce?: bigint; readonly deadlineSeconds?: bigint }

/** The terms of a permit of the amount, with the current nonce. */
async function termsOf(holder: Pick<Holder, 'address'>, terms: Terms, token = stack.local.tokens.tAUD) {
  const { domain } = await stack.chain.permits.getTokenPermits(token)
  if (!domain) throw new Error(`${token} has no permits`)
  const spender = stack.local.deployment.router
  const { nonce = 0n } = await stack.chain.approvals.readState({ token, owner: holder.address, spender })
  return { domain, owner: holder.address, valueRaw: amountRaw, nonce, deadlineSeconds, ...terms }
}

async function sign(holder: Holder, terms: Terms, token?: Address): Promise<Permit> {
  const all = await termsOf(holder, terms, token)
  const signature = await holder.sign(stack.chain.permits.toTypedData(all))
  return { kind: 'permit', amountRaw: all.valueRaw, deadlineSeconds: all.deadlineSeconds, signature }
}

/** The request of an account with its key's signature, which delegates to a contract. */
async function signAsDelegate(contract: string, token: Address) {
  const { owner, toSwap, createHolder } = stack
  const holder = await createHolder([token])
  await holder.delegate(await owner.deploy(`testing/${contract}`, []))
  const permit = await sign(holder, {}, token)
  return { owner: holder.address, swap: toSwap(holder.address, { tokenIn: token }), permit }
}

/** The call of the router that the permit pays. */
function toRouterCall({ address }: Holder, permit: Permit) {
  const { deployment, tokens } = stack.local
  const swap = {
    quote: deployment.referenceToken,
    origin: tokens.tAUD,
    target: tokens.tUSD,
    originAmount: amountRaw,
    minTargetAmount: 1n,
    recipient: address,
    deadline: deadlineSeconds,
  }
  const signed = { amount: permit.amountRaw, deadline: permit.deadlineSeconds, signature: permit.signature }
  return {
    address: deployment.router,
    abi: permitRouterAbi,
    functionName: 'originSwapWithPermit',
    args: [swap, signed],
    account: address,
  } as const
}

/** Expects that a permit passes, and that the conversion that it pays would succeed. */
async function expectAccepted(holder: Holder, permit: Permit): Promise<void> {
  await stack.chain.permits.verify({ owner: holder.address, swap: stack.toSwap(holder.address), permit })
  await callRouter(holder, permit)
}

/** Expects that a permit is refused, and that the conversion that it pays would revert. */
async function expectRefused(
  holder: Holder,
  { permit, reason }: { readonly permit: Permit; readonly reason: string },
): Promise<void> {
  const request = { owner: holder.address, swap: stack.toSwap(holder.address), permit }
  await expect(stack.chain.permits.verify(request)).rejects.toMatchObject(refusal(reason))
  await expect(callRouter(holder, permit)).rejects.toThrow('revert')
}

async function callRouter(holder: Holder, permit: Permit): Promise<void> {
  const { address: to, account, ...call } = toRouterCall(holder, permit)
  await stack.owner.client.call({ account, to, data: encodeFunctionData(call) })
}

function refusal(reason: string) {
  return { code: 'svc/invalid-permit', details: { reason } }
}

async function balanceOf(account: Address): Promise<bigint> {
  const address = stack.local.tokens.tAUD
  return await stack.owner.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}

async function allowanceOf(account: Address): Promise<bigint> {
  const { tokens, deployment } = stack.local
  const args = [account, deployment.router] as const
  return await stack.owner.client.readContract({ address: tokens.tAUD, abi: erc20Abi, functionName: 'allowance', args })
}

async function approveRouter(account: Address, amount: bigint, address = stack.local.tokens.tAUD): Promise<void> {
  const args = [stack.local.deployment.router, amount] as const
  await writeContract(stack.owner.client, { address, abi: erc20Abi, functionName: 'approve', args, account })
}
