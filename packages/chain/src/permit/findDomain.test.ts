import fc from 'fast-check'
import { bytesToHex, encodeFunctionResult, getAddress, keccak256, numberToHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { findDomain } from './findDomain.ts'
import { permitAbi } from './permit.ts'
import { toDomainSeparator } from './TypedData.ts'

const token = getAddress(numberToHex(0xa610, { size: 20 }))
const reverted = { success: false, data: '0x' } as const
const nothing = { reported: reverted, name: reverted, version: reverted }

const result = fc.record({
  success: fc.boolean(),
  data: fc.uint8Array({ maxLength: 320, size: 'max' }).map((bytes) => bytesToHex(bytes)),
})

it('no results of a token make the search for its domain fail', () => {
  const results = fc.record({ separator: result, reported: result, name: result, version: result })
  fc.assert(
    fc.property(results, (all) => {
      expect(findDomain({ token, chainId: 84532, ...all })).toBeUndefined()
    }),
  )
})

it('the domain of a name is found for every short name, only by its hash', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
      const domain = { name, version: '1', chainId: 84532, verifyingContract: token }
      const data = encodeFunctionResult({ abi: permitAbi, functionName: 'name', result: name })
      const request = { ...nothing, token, chainId: 84532, name: { success: true, data } }
      expect(findDomain({ ...request, separator: returned(toDomainSeparator(domain)) })).toEqual(domain)
      expect(findDomain({ ...request, separator: returned(keccak256('0x')) })).toBeUndefined()
    }),
  )
})

it('a reported domain with extensions is not used, since their meaning is unknown', () => {
  const domain = { name: 'Token', chainId: 84532, verifyingContract: token }
  const find = (extensions: readonly bigint[]) =>
    findDomain({
      ...nothing,
      token,
      chainId: 84532,
      separator: returned(toDomainSeparator(domain)),
      reported: returned(
        encodeFunctionResult({
          abi: permitAbi,
          functionName: 'eip712Domain',
          result: ['0x0d', 'Token', '', 84532n, token, numberToHex(0, { size: 32 }), extensions],
        }),
      ),
    })
  expect(find([])).toEqual(domain)
  expect(find([1n])).toBeUndefined()
})

function returned(data: Hex) {
  return { success: true, data }
}
