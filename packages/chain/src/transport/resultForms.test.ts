import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { signEach, type SignedExample } from '../../test/signEach.ts'
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

/** A deposit, as a rollup returns it. */
const created = {
  hash: asked,
  type: '0x7e',
  from: `0x${'2'.repeat(40)}`,
  to: `0x${'3'.repeat(40)}`,
  nonce: '0x0',
  value: '0x0',
  gas: '0x5208',
  input: '0x',
  blockNumber: '0x2',
}

const examples = await signEach()

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
    ['with a fee of 2^256', { ...receipt, l1Fee: `0x1${'0'.repeat(64)}` }],
    ['without a status', { ...receipt, status: undefined }],
    ['with the status null', { ...receipt, status: null }],
    ['with the status 0x01', { ...receipt, status: '0x01' }],
    ['with the status 0x2', { ...receipt, status: '0x2' }],
    ['with an event without a position', { ...receipt, logs: [{ ...log, logIndex: null }] }],
    ['that is a list', [receipt]],
    ['that is absent', undefined],
  ])('a receipt %s is invalid', (_, result) => {
    expect(isReceipt(result)).toBe(false)
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

it('bytes of 8 MB are valid, and invalid with half a byte or another character', () => {
  const isCallResult = (result: string) => isValidResult({ method: 'eth_call', params: [] }, result)
  const bytes = `0x${'Ab'.repeat(8 * 1024 * 1024)}`
  expect([bytes, `${bytes}0`, `${bytes}0g`, bytes.slice(1)].map(isCallResult)).toEqual([true, false, false, false])
})

describe('isValidResult of a transaction', () => {
  const isTransaction = (result: unknown, hash = asked) =>
    isValidResult({ method: 'eth_getTransactionByHash', params: [hash] }, result)

  it('no transaction is valid, and so is a signed transaction with the hash that was asked for', () => {
    expect(isTransaction(null)).toBe(true)
    for (const { transaction, type } of examples) {
      expect(isTransaction(transaction, transaction.hash), type).toBe(true)
      expect(isTransaction(transaction, transaction.hash.toUpperCase().replace('0X', '0x')), type).toBe(true)
      expect(isTransaction(transaction), type).toBe(false)
    }
  })

  const ofLegacy = (change: object) => (type: Hex) => (type === '0x0' ? change : {})
  const ofOthers = (change: object) => (type: Hex) => (type === '0x0' ? {} : change)
  const higherFees = { maxFeePerGas: '0xffffffffff', maxPriorityFeePerGas: '0xffffffffff' }

  it.each<[string, (type: Hex, transaction: SignedExample['transaction']) => object]>([
    ['no yParity, and v as the parity', () => ({ yParity: undefined })],
    [
      'no yParity, and v as 27 or 28',
      (type, { v }) => ofOthers({ yParity: undefined, v: v === '0x1' ? '0x1c' : '0x1b' })(type),
    ],
    ['no v', ofOthers({ v: undefined })],
    ['a chain id for a legacy transaction without one', ofLegacy({ chainId: '0x14a34' })],
    ['no chain id for a legacy transaction', ofLegacy({ chainId: undefined })],
    ['no type for a legacy transaction', ofLegacy({ type: undefined })],
    [
      'an access list only where it has entries',
      (_, { accessList: list }) => ((list as readonly unknown[]).length === 0 ? { accessList: undefined } : {}),
    ],
    ['a signature with leading zeros', (_, { r }) => ({ r: `0x00${String(r).slice(2)}` })],
    ['fees that are not part of the type', (type) => (type < '0x2' ? higherFees : { gasPrice: '0xffffffffff' })],
  ])('a node may return %s', (_, change) => {
    for (const { transaction, type } of examples)
      expect(isTransaction({ ...transaction, ...change(type, transaction) }, transaction.hash), type).toBe(true)
  })

  it.each([
    ['receiver', { to: `0x${'bad'.padStart(40, '0')}` }],
    ['receiver, for a new contract', { to: null }],
    ['value', { value: '0x2' }],
    ['calldata', { input: '0xbad0' }],
    ['nonce', { nonce: '0x63' }],
    ['gas limit', { gas: '0xffffff' }],
    ['type', { type: '0x1' }],
    ['signature', { r: '0x1' }],
  ])('a transaction whose node has changed its %s is invalid', (_, change) => {
    for (const { transaction, type } of examples)
      expect(isTransaction({ ...transaction, ...change }, transaction.hash), type).toBe(
        type === '0x1' && 'type' in change,
      )
  })

  it.each([
    ['maximum fee', { maxFeePerGas: '0xffffffffffffffff' }],
    ['tip', { maxPriorityFeePerGas: '0x0' }],
    ['access list', { accessList: [{ address: `0x${'1'.repeat(40)}`, storageKeys: [] }] }],
    ['chain', { chainId: '0x1' }],
    ['maximum fee, which is absent', { maxFeePerGas: undefined }],
    ['chain, which is absent', { chainId: undefined }],
    ['access list, which is text', { accessList: 'none' }],
  ])('a transaction of EIP-1559 whose node has changed its %s is invalid', (_, change) => {
    const transaction = examples.find(({ type }) => type === '0x2')?.transaction
    expect(isTransaction({ ...transaction, ...change }, transaction?.hash)).toBe(false)
  })

  it('a transaction of EIP-7702 with an authorization that takes no effect is valid by its form', () => {
    const transaction = examples.find(({ type }) => type === '0x4')?.transaction
    const [authorization] = transaction?.['authorizationList'] as readonly object[]
    const changeTo = (change: object) => ({ ...transaction, authorizationList: [{ ...authorization, ...change }] })
    for (const change of [{ yParity: '0x5' }, { nonce: '0xffffffffffffffff' }, { chainId: hashOf('f') }])
      expect(isTransaction(changeTo(change), transaction?.hash)).toBe(true)
    expect(isTransaction(changeTo({ nonce: '0x9' }), transaction?.hash)).toBe(false)
    expect(isTransaction({ ...changeTo({ yParity: '0x5' }), type: '0x2' }, transaction?.hash)).toBe(false)
  })

  it.each(['0x7e', '0x64', '0x69', '0x6a'])(
    'a transaction of type %s, which a rollup creates without a signature, is valid by its form',
    (type) => {
      expect(isTransaction({ ...created, type })).toBe(true)
      expect(isTransaction({ ...created, type }, other)).toBe(false)
    },
  )

  it.each([
    ['only a hash', { hash: asked }],
    ['no sender', { ...created, from: undefined }],
    ['a receiver that is no address', { ...created, to: '0x1' }],
    ['no calldata', { ...created, input: undefined }],
    ['calldata of half a byte', { ...created, input: '0x0' }],
    ['a value of 2^256', { ...created, value: `0x1${'0'.repeat(64)}` }],
    ['a value that is no text', { ...created, value: 1 }],
    ['no gas limit', { ...created, gas: null }],
    ['a nonce above 2^53', { ...created, nonce: '0xffffffffffffffff' }],
    ['a type that is no quantity', { ...created, type: 2 }],
    ['a block number that is no quantity', { ...created, blockNumber: 'latest' }],
  ])('a transaction with %s is invalid', (_, result) => {
    expect(isTransaction(result)).toBe(false)
  })
})

describe('isValidResult of a block', () => {
  const isBlock = (tag: string, result: unknown, isFull = false) =>
    isValidResult({ method: 'eth_getBlockByNumber', params: [tag, isFull] }, result)
  const isBlockByHash = (result: unknown, isFull = false) =>
    isValidResult({ method: 'eth_getBlockByHash', params: [block, isFull] }, result)
  const mined = { number: '0x2', hash: block, parentHash: other, timestamp: '0x65', transactions: [asked] }

  it('a block is valid only with the number or the hash that was asked for, and the newest block is never null', () => {
    const numbers = ['0x2', '0x02', '0x3', 'safe'].map((tag) => isBlock(tag, mined))
    expect(numbers).toEqual([true, true, false, true])
    expect([isBlockByHash(mined), isBlockByHash({ ...mined, hash: other })]).toEqual([true, false])
    expect(['0x2', 'safe', 'finalized', 'latest'].map((tag) => isBlock(tag, null))).toEqual([true, true, true, false])
    expect(isBlockByHash(null)).toBe(true)
  })

  it.each([
    ['without a number', { ...mined, number: null }],
    ['without a hash', { ...mined, hash: null }],
    ['without a time', { ...mined, timestamp: undefined }],
    ['after the year 9999', { ...mined, timestamp: '0xfffffffffffff' }],
    ['that is empty', {}],
    ['that is text', 'x'],
  ])('a block %s is invalid at every tag and by its hash', (_, result) => {
    expect(['latest', 'safe', 'finalized', '0x2'].map((tag) => isBlock(tag, result))).not.toContain(true)
    expect(isBlockByHash(result)).toBe(false)
  })

  it('a block with its transactions is valid only if each transaction has its fields', () => {
    const withEach = (...transactions: unknown[]) => ({ ...mined, transactions })
    for (const isValid of [
      (result: unknown) => isBlock('0x2', result, true),
      (result: unknown) => isBlockByHash(result, true),
    ]) {
      expect([withEach(), withEach(created, { ...created, type: '0x2' })].map(isValid)).toEqual([true, true])
      expect(
        [withEach(asked), withEach({ ...created, from: null }), withEach({ ...created, nonce: '7' })].map(isValid),
      ).toEqual([false, false, false])
      expect([withEach({ ...created, hash: null }), { ...mined, transactions: undefined }].map(isValid)).toEqual([
        false,
        false,
      ])
    }
  })
})
