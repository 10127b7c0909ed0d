import type { Address } from '@agio/core'
import { maxUint256, numberToHex, type TypedDataDefinition } from 'viem'
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

async function sign(changes: Changes) {
  return await account.signTypedData(toPermitTypedData({ ...permit, ...changes }) as unknown as TypedDataDefinition)
}

function toAddress(number: number): Address {
  return numberToHex(number, { size: 20 })
}
