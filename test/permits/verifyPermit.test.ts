import { hexToNumber, maxUint256, numberToHex, parseAbi, slice, zeroAddress, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { writeContract } from '../harness/writeContract.ts'
import { signByEthers } from './signByEthers.ts'
import { amountRaw, deadlineSeconds } from './startPermitStack.ts'
import { setUpPermits, refusal } from './setUpPermits.ts'

const permits = setUpPermits()
const {
  sign,
  expectAccepted,
  balanceOf,
  toRouterCall,
  allowanceOf,
  termsOf,
  expectRefused,
  approveRouter,
  signAsDelegate,
} = permits

const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

describe('a permit that the token accepts', () => {
  it.each([
    ['the amount', amountRaw],
    ['more than the amount', amountRaw + 1n],
    ['an unlimited amount', maxUint256],
  ])('a permit of an account for %s passes, and pays the conversion', async (_, valueRaw) => {
    const holder = await permits.stack.createHolder()
    const permit = await sign(holder, { valueRaw })
    await expectAccepted(holder, permit)
    const { router } = permits.stack.local.deployment
    const before = await balanceOf(holder.address)
    await writeContract(permits.stack.owner.client, toRouterCall(holder, permit))
    expect(before - (await balanceOf(holder.address))).toBe(amountRaw)
    expect(await allowanceOf(holder.address)).toBe(valueRaw === maxUint256 ? maxUint256 : valueRaw - amountRaw)
    expect(await balanceOf(router)).toBe(0n)
  })

  it('viem and ethers sign the same for a permit, whichever fields its domain has', async () => {
    const { chain, owner, createHolder } = permits.stack
    const holder = await createHolder()
    const salted = { fields: 0b11011, name: 'Dollar', version: '', chainId: 0, verifyingContract: zeroAddress }
    const salt = numberToHex(84532, { size: 32 })
    const odd = { ...salted, salt, reports: true, hasVersion: false, isWrong: false }
    for (const token of [permits.stack.local.tokens.tAUD, await owner.deploy('testing/DomainToken', [odd])]) {
      const typedData = chain.permits.toTypedData(await termsOf(holder, {}, token))
      const signature = await holder.sign(typedData)
      expect(await signByEthers(holder.key, typedData)).toBe(signature)
      const permit = { kind: 'permit', amountRaw, deadlineSeconds, signature } as const
      await chain.permits.verify({
        owner: holder.address,
        swap: permits.stack.toSwap(holder.address, { tokenIn: token }),
        permit,
      })
    }
  })

  it('a permit whose deadline is the time of the newest block passes', async () => {
    const holder = await permits.stack.createHolder()
    const { timestamp } = await permits.stack.owner.client.getBlock()
    await expectAccepted(holder, await sign(holder, { deadlineSeconds: timestamp }))
  })

  it('a permit that another account has sent passes while its allowance is there, and is refused by its nonce once that is spent', async () => {
    const holder = await permits.stack.createHolder()
    const permit = await sign(holder, {})
    const [r, s, v] = [slice(permit.signature, 0, 32), slice(permit.signature, 32, 64), slice(permit.signature, 64)]
    const args = [
      holder.address,
      permits.stack.local.deployment.router,
      amountRaw,
      deadlineSeconds,
      hexToNumber(v),
      r,
      s,
    ] as const
    const { tAUD } = permits.stack.local.tokens
    await writeContract(permits.stack.owner.client, { address: tAUD, abi: permitAbi, functionName: 'permit', args })
    await expectAccepted(holder, permit)
    await writeContract(permits.stack.owner.client, toRouterCall(holder, permit))
    await expectRefused(holder, { permit, reason: 'nonce' })
  })

  it('a permit that a token refuses passes if the allowance covers the conversion', async () => {
    const holder = await permits.stack.createHolder()
    const permit = { ...(await sign(holder, {})), signature: numberToHex(1, { size: 65 }) }
    await expectRefused(holder, { permit, reason: 'signer' })
    await approveRouter(holder.address, amountRaw)
    await expectAccepted(holder, permit)
  })

  it('a token without permits refuses every signature, unless the allowance covers the conversion', async () => {
    const { chain, toSwap, createHolder, local } = permits.stack
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

describe('the permit of an account with code', () => {
  it.each(['StrictDelegate', 'LaxDelegate'])(
    'the permit of an account that delegates to %s passes at a token that recovers keys',
    async (contract) => {
      await permits.stack.chain.permits.verify(await signAsDelegate(contract, permits.stack.local.tokens.tAUD))
    },
  )

  it('the permit of an account that delegates to a lax contract passes at a token that accepts ERC-1271', async () => {
    await permits.stack.chain.permits.verify(await signAsDelegate('LaxDelegate', permits.bytesToken))
  })

  it('the permit of an account that delegates to a strict contract is refused by its signer at a token that accepts ERC-1271', async () => {
    const verified = permits.stack.chain.permits.verify(await signAsDelegate('StrictDelegate', permits.bytesToken))
    await expect(verified).rejects.toMatchObject(refusal('signer'))
  })

  it('the permit of a contract passes by ERC-1271 if its owner has signed, and is refused by its signer if another has', async () => {
    const { chain, owner, toSwap, createHolder } = permits.stack
    const [holder, other] = [await createHolder(), await createHolder()]
    const account = await owner.deploy('testing/OwnedAccount', [holder.address])
    const typedData = chain.permits.toTypedData({ ...(await termsOf(holder, {}, permits.bytesToken)), owner: account })
    const swap = toSwap(account, { tokenIn: permits.bytesToken })
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
    const { chain, owner, toSwap, createHolder } = permits.stack
    const holder = await createHolder()
    const account = await owner.deploy('testing/OwnedAccount', [holder.address])
    const typedData = chain.permits.toTypedData({ ...(await termsOf(holder, {})), owner: account })
    const permit = { kind: 'permit', amountRaw, deadlineSeconds, signature: await holder.sign(typedData) } as const
    await expect(chain.permits.verify({ owner: account, swap: toSwap(account), permit })).rejects.toMatchObject(
      refusal('signer'),
    )
  })
})
