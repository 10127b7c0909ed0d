import { encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { sumReceived } from './sumReceived.ts'

const [token, other, wallet, pool] = [
  '0x1000000000000000000000000000000000000001',
  '0x1000000000000000000000000000000000000002',
  '0x1000000000000000000000000000000000000003',
  '0x1000000000000000000000000000000000000004',
] as const

const receiptOf = (...transfers: (readonly [Hex, Hex, Hex, bigint])[]) => ({
  status: 'success' as const,
  blockNumber: 1n,
  blockHash: '0x' as const,
  gasUsed: 1n,
  logs: transfers.map(([address, from, to, value]) => ({
    address,
    topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  })),
})

it('sumReceived adds incoming and subtracts outgoing transfers of one token', () => {
  const receipt = receiptOf([token, pool, wallet, 100n], [token, wallet, pool, 30n], [other, pool, wallet, 999n])
  expect(sumReceived(receipt, token, wallet)).toBe(70n)
})

it('sumReceived is zero if an account sent more than it received', () => {
  expect(sumReceived(receiptOf([token, wallet, pool, 30n]), token, wallet)).toBe(0n)
})

it('sumReceived ignores logs that are not transfers', () => {
  const receipt = receiptOf([token, pool, wallet, 5n])
  const noise = { address: token, topics: [`0x${'12'.repeat(32)}`] as Hex[], data: '0x' as const }
  expect(sumReceived({ ...receipt, logs: [noise, ...receipt.logs] }, token, wallet)).toBe(5n)
})
