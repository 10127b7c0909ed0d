import type { Address } from '@agio/core'
import { concatHex, hexToBigInt, maxUint256, numberToHex, slice, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { findPermitFault } from './findPermitFault.ts'
import { toPermitTypedData } from './permit.ts'

const account = privateKeyToAccount(numberToHex(0xa610, { size: 32 }))
const [token, other, spender] = [toAddress(1), toAddress(2), toAddress(3)]
const domain = { name: 'Token', version: '1', chainId: 84532, verifyingContract: token }
const permit = { domain, owner: account.address, spender, valueRaw: 10n, nonce: 5n, deadlineSeconds: 100n }
const known = { timestampSeconds: 100n, neededRaw: 8n, others: [] }

type Changes = Partial<toPermitTypedData.Options>

it.each<readonly [string, Changes, string]>([
  ['the nonce before', { nonce: 4n }, 'nonce'],
  ['a nonce further away', { nonce: 9n }, 'signer'],
  ['the amount that is needed', { valueRaw: 8n }, 'amount'],
  ['an unlimited amount', { valueRaw: maxUint256 }, 'amount'],
  ['another network with the first nonce there', { domain: { ...domain, chainId: 421614 }, nonce: 0n }, 'domain'],
  ['another version', { domain: { ...domain, version: '2' } }, 'domain'],
  ['another token with the nonce there', { domain: { ...domain, verifyingContract: other }, nonce: 7n }, 'domain'],
])('a permit that was signed for %s has this fault', async (_, signed, fault) => {
  const others = [{ domain: { ...domain, verifyingContract: other }, nonce: 7n }]
  expect(await findPermitFault({ ...known, others, permit, signature: await sign(signed) })).toBe(fault)
})

it('a deadline that has passed is the fault before all others', async () => {
  const signature = await sign({ nonce: 4n })
  expect(await findPermitFault({ ...known, timestampSeconds: 101n, permit, signature })).toBe('deadline')
})

it('the larger s, a v of 0 or 1, and any other length are faults of the signer, although the key can be recovered', async () => {
  const signature = await sign({})
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), slice(signature, 64)]
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const twin = concatHex([r, numberToHex(order - hexToBigInt(s), { size: 32 }), v === '0x1b' ? '0x1c' : '0x1b'])
  const shortV = concatHex([r, s, v === '0x1b' ? '0x00' : '0x01'])
  expect(await findPermitFault({ ...known, permit, signature })).toBeUndefined()
  for (const form of [twin, shortV, slice(signature, 0, 64), concatHex([signature, '0x00']), '0x'] as const) {
    expect(await findPermitFault({ ...known, permit, signature: form })).toBe('signer')
  }
})

async function sign(changes: Changes) {
  return await account.signTypedData(toPermitTypedData({ ...permit, ...changes }) as unknown as TypedDataDefinition)
}

function toAddress(number: number): Address {
  return numberToHex(number, { size: 20 })
}
