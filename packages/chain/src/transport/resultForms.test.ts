import { describe, expect, it } from 'vitest'
import { isValidResult } from './resultForms.ts'

const hashOf = (digit: string) => `0x${digit.repeat(64)}`
const [asked, other, block] = [hashOf('a'), hashOf('b'), hashOf('c')]

const log = {
  address: `0x${'1'.repeat(40)}`,
  topics: [hashOf('1')],
  data: '0x00',
  logIndex: '0x0',
  blockHash: block,
  transactionHash: asked,
}
const receipt = {
  transactionHash: asked,
  blockHash: block,
  blockNumber: '0x2',
  gasUsed: '0x5208',
  status: '0x1',
  logs: [log],
}

describe('isValidResult', () => {
  const isReceipt = (result: unknown, params = [asked]) =>
    isValidResult({ method: 'eth_getTransactionReceipt', params }, result)

  it('a receipt of the transaction that was asked for is valid, in any case of its digits, and so is no receipt', () => {
    expect(isReceipt(receipt)).toBe(true)
    expect(isReceipt(receipt, [asked.toUpperCase().replace('0X', '0x')])).toBe(true)
    expect(isReceipt(null)).toBe(true)
  })

  it.each([
    ['of another transaction', { ...receipt, transactionHash: other }],
    ['without a transaction', { ...receipt, transactionHash: undefined }],
    ['without a block', { ...receipt, blockHash: null, blockNumber: null }],
    ['without events', { ...receipt, logs: undefined }],
    ['with an event of another transaction', { ...receipt, logs: [{ ...log, transactionHash: other }] }],
    ['with an event of another block', { ...receipt, logs: [{ ...log, blockHash: other }] }],
    ['with an event without an address', { ...receipt, logs: [{ ...log, address: undefined }] }],
    ['with five topics', { ...receipt, logs: [{ ...log, topics: Array(5).fill(asked) as string[] }] }],
    ['with a block number of 64 digits', { ...receipt, blockNumber: `0x${'f'.repeat(64)}` }],
    ['with a fee that is no quantity', { ...receipt, effectiveGasPrice: 7 }],
    ['that is a list', [receipt]],
    ['that is absent', undefined],
  ])('a receipt %s is invalid', (_, result) => {
    expect(isReceipt(result)).toBe(false)
  })

  it('a transaction and a block by hash are valid only with the hash that was asked for', () => {
    for (const method of ['eth_getTransactionByHash', 'eth_getBlockByHash']) {
      const request = { method, params: [asked, false] }
      expect([{ hash: asked }, null].map((result) => isValidResult(request, result))).toEqual([true, true])
      expect([{ hash: other }, {}, 'x'].map((result) => isValidResult(request, result))).toEqual([false, false, false])
    }
  })

  it('a block by number is valid only with the number that was asked for, and the newest block is never null', () => {
    const isBlock = (tag: string, result: unknown) =>
      isValidResult({ method: 'eth_getBlockByNumber', params: [tag, false] }, result)
    expect([isBlock('0x2', { number: '0x2' }), isBlock('0x2', { number: '0x3' }), isBlock('0x2', {})]).toEqual([
      true,
      false,
      false,
    ])
    expect([isBlock('0x2', null), isBlock('finalized', null), isBlock('latest', null)]).toEqual([true, true, false])
    expect([isBlock('latest', {}), isBlock('finalized', { number: '0x1' })]).toEqual([true, true])
  })

  it('events by block hash are valid only if all of them are of that block', () => {
    const areLogs = (result: unknown) =>
      isValidResult({ method: 'eth_getLogs', params: [{ blockHash: block }] }, result)
    expect([areLogs([]), areLogs([log]), areLogs([{ ...log, blockHash: other }]), areLogs({})]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
