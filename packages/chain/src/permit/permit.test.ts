import { hashTypedData, numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { toPermitTypedData } from './permit.ts'

const [token, owner, spender] = [
  numberToHex(1, { size: 20 }),
  numberToHex(2, { size: 20 }),
  numberToHex(3, { size: 20 }),
]
const terms = { owner, spender, valueRaw: 2n ** 255n, nonce: 7n, deadlineSeconds: 1_800_000_000n }

it('the data lists the fields that the domain has, in the order of EIP-712, and the numbers as decimal strings', () => {
  const domain = { salt: numberToHex(9n, { size: 32 }), verifyingContract: token, name: 'Token' }
  const typedData = toPermitTypedData({ domain, ...terms })
  expect(typedData.types['EIP712Domain']?.map(({ name }) => name)).toEqual(['name', 'verifyingContract', 'salt'])
  expect(typedData.message).toEqual({
    owner,
    spender,
    value: (2n ** 255n).toString(),
    nonce: '7',
    deadline: '1800000000',
  })
  expect(JSON.parse(JSON.stringify(typedData))).toEqual(typedData)
})

it('each field of the domain changes what is signed, also an empty one', () => {
  const domain = { name: 'Token', version: '', chainId: 84532, verifyingContract: token }
  const { version: _, ...withoutVersion } = domain
  const hashes = [domain, withoutVersion, { ...domain, chainId: 1 }].map((each) =>
    hashTypedData(toPermitTypedData({ domain: each, ...terms }) as never),
  )
  expect(new Set(hashes).size).toBe(3)
})
