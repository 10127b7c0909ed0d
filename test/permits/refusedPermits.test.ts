import type { TypedData } from '@agio/chain'
import { maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { placeRefuser } from '../reverts/placeRefuser.ts'
import { alterSignature } from './alterSignature.ts'
import { amountRaw } from './startPermitStack.ts'
import { setUpPermits, refusal } from './setUpPermits.ts'

const permits = setUpPermits()
const { expectRefused, sign, expectAccepted, termsOf, approveRouter } = permits

describe('a permit that the token refuses', () => {
  it('a permit whose deadline is before the newest block is refused by its deadline', async () => {
    const holder = await permits.stack.createHolder()
    const { timestamp } = await permits.stack.owner.client.getBlock()
    await expectRefused(holder, { permit: await sign(holder, { deadlineSeconds: timestamp - 1n }), reason: 'deadline' })
  })

  it('a deadline is judged by the time of the chain, not by the clock of the service', async () => {
    const { owner } = permits.stack
    const holder = await permits.stack.createHolder()
    const { timestamp } = await owner.client.getBlock()
    const permit = await sign(holder, { deadlineSeconds: timestamp + 1000n })
    await expectAccepted(holder, permit)
    await owner.client.setNextBlockTimestamp({ timestamp: timestamp + 1001n })
    await owner.client.mine({ blocks: 1 })
    await expectRefused(holder, { permit, reason: 'deadline' })
  })

  it.each([1n, 3n])('a permit for a nonce that is %d too high is refused by its nonce', async (nonce) => {
    const holder = await permits.stack.createHolder()
    await expectRefused(holder, { permit: await sign(holder, { nonce }), reason: 'nonce' })
  })

  it('a permit with a nonce that the caller names and the token does not expect is refused by its nonce', async () => {
    const { chain, toSwap, createHolder } = permits.stack
    const holder = await createHolder()
    const request = { owner: holder.address, swap: toSwap(holder.address), permit: await sign(holder, { nonce: 77n }) }
    await expect(chain.permits.verify(request)).rejects.toMatchObject(refusal('signer'))
    await expect(chain.permits.verify({ ...request, nonce: 77n })).rejects.toMatchObject(refusal('nonce'))
  })

  it('a permit that another account has signed is refused by its signer', async () => {
    const [holder, other] = [await permits.stack.createHolder(), await permits.stack.createHolder()]
    const typedData = permits.stack.chain.permits.toTypedData(await termsOf(holder, {}))
    const permit = { ...(await sign(holder, {})), signature: await other.sign(typedData) }
    await expectRefused(holder, { permit, reason: 'signer' })
  })

  it('a permit for another spender is refused by its signer', async () => {
    const holder = await permits.stack.createHolder()
    const typedData = permits.stack.chain.permits.toTypedData(await termsOf(holder, {}))
    const message = { ...typedData.message, spender: holder.address }
    const permit = { ...(await sign(holder, {})), signature: await holder.sign({ ...typedData, message }) }
    await expectRefused(holder, { permit, reason: 'signer' })
  })

  it.each<readonly [string, (typedData: TypedData) => Promise<TypedData['domain']> | TypedData['domain']]>([
    ['another network', ({ domain }) => ({ ...domain, chainId: 421614 })],
    ['another version', ({ domain }) => ({ ...domain, version: '2' })],
    [
      'another token',
      async ({ domain }) => (await permits.stack.chain.permits.getTokenPermits(permits.bytesToken)).domain ?? domain,
    ],
  ])('a permit in the domain of %s is refused by its domain', async (_, toDomain) => {
    const holder = await permits.stack.createHolder()
    const typedData = permits.stack.chain.permits.toTypedData(await termsOf(holder, {}))
    const signature = await holder.sign({ ...typedData, domain: await toDomain(typedData) })
    await expectRefused(holder, { permit: { ...(await sign(holder, {})), signature }, reason: 'domain' })
  })

  it.each(['malleable', 'short v', 'compact', 'empty', 'truncated'] as const)(
    'a permit with a signature that is %s is refused by its signer',
    async (form) => {
      const holder = await permits.stack.createHolder()
      const permit = await sign(holder, {})
      await expectRefused(holder, {
        permit: { ...permit, signature: alterSignature(permit.signature, form) },
        reason: 'signer',
      })
    },
  )

  it('a permit for less than the conversion takes is refused by its amount, also if it would lower an allowance', async () => {
    const holder = await permits.stack.createHolder()
    const permit = await sign(holder, { valueRaw: amountRaw - 1n })
    await expectRefused(holder, { permit, reason: 'amount' })
    await approveRouter(holder.address, amountRaw)
    await expectRefused(holder, { permit, reason: 'amount' })
  })

  it('a permit with another amount than was signed is refused by its amount', async () => {
    const holder = await permits.stack.createHolder()
    const permit = { ...(await sign(holder, { valueRaw: maxUint256 })), amountRaw }
    await expectRefused(holder, { permit, reason: 'amount' })
  })

  it('the reason of a token that refuses permits for now is a revert of the token, not a fault of the signature', async () => {
    const { chain, owner, toSwap, createHolder, local } = permits.stack
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
