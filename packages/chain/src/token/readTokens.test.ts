import type { Address } from '@agio/core'
import { encodeFunctionResult, pad, stringToHex, zeroAddress, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { tokenAbi } from '../abi/index.ts'
import type { Call, Reader } from '../reader/createReader.ts'
import { findTokens, readTokens } from './readTokens.ts'

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

type Answers = { readonly symbol: Hex | undefined; readonly name: Hex | undefined; readonly decimals: Hex | undefined }

const answers: Answers = {
  symbol: encodeFunctionResult({ abi: tokenAbi, functionName: 'symbol', result: 'EURS' }),
  name: encodeFunctionResult({ abi: tokenAbi, functionName: 'name', result: 'STASIS EURO' }),
  decimals: encodeFunctionResult({ abi: tokenAbi, functionName: 'decimals', result: 2 }),
}

const ones: Hex = `0x${'ff'.repeat(32)}`

it('a symbol and a name of bytes32, as older tokens return them, are text without the zeros at its end', async () => {
  const older = { ...answers, symbol: toBytes32('MKR'), name: toBytes32('Maker') }
  expect(await find(older)).toMatchObject({ symbol: 'MKR', name: 'Maker' })
  const longest = 'a name of thirty-two characters!'
  expect(await find({ ...answers, name: toBytes32(longest) })).toMatchObject({ name: longest })
})

it('zeros at the end of a symbol or a name are no part of its text', async () => {
  const padded = { ...answers, symbol: toText('EURS\0\0\0'), name: toText('STASIS EURO\0') }
  expect(await find(padded)).toMatchObject({ symbol: 'EURS', name: 'STASIS EURO' })
})

it('a symbol and a name of 200 characters are the longest', async () => {
  const longest = '€'.repeat(200)
  const long = { ...answers, symbol: toText(longest), name: toText(longest) }
  expect(await find(long)).toMatchObject({ symbol: longest, name: longest })
})

it.each<[string, Hex | undefined]>([
  ['reverts', undefined],
  ['returns nothing', '0x'],
  ['returns zeros', toBytes32('')],
  ['returns bytes that are not text', ones],
  ['is empty', toText('')],
  ['is longer than 200 characters', toText('a'.repeat(201))],
  ['has a megabyte', toText('a'.repeat(1_000_000))],
  ['contains a control character', toText('\u001B[2JEURS')],
  ['contains bytes that are not text', withInvalidUtf8('STASIS EURO')],
])('a token whose name %s is named by its symbol', async (_, name) => {
  expect(await find({ ...answers, name })).toMatchObject({ symbol: 'EURS', name: 'EURS' })
})

it.each<[string, Partial<Answers>]>([
  ['without a symbol', { symbol: undefined }],
  ['whose symbol is empty bytes', { symbol: toBytes32('') }],
  ['whose symbol is empty', { symbol: toText('') }],
  ['whose symbol is not text', { symbol: ones }],
  ['whose symbol is longer than 200 characters', { symbol: toText('a'.repeat(201)) }],
  ['whose symbol contains a control character', { symbol: toBytes32('EURS\nEURS') }],
  ['without decimals', { decimals: undefined }],
  ['with more decimals than ERC-20 allows', { decimals: ones }],
])('a contract %s is not a token, and the error names its address', async (_, changed) => {
  expect(await find({ ...answers, ...changed })).toBeUndefined()
  await expect(readTokens(readerOf({ ...answers, ...changed }), [address], 'latest')).rejects.toMatchObject({
    code: 'svc/upstream-error',
    message: `Cannot read token ${address}: it has no valid symbol or no valid decimals`,
  })
})

async function find(metadata: Answers) {
  return (await findTokens(readerOf(metadata), [address], 'latest'))[0]
}

const selectors: Readonly<Record<Hex, keyof Answers>> = {
  '0x95d89b41': 'symbol',
  '0x06fdde03': 'name',
  '0x313ce567': 'decimals',
}

/** Creates a reader of one token, which reverts if an answer is undefined. */
function readerOf(metadata: Answers): Reader {
  return {
    address: zeroAddress,
    routeReader: undefined,
    async aggregate(calls: readonly Call[]) {
      const results = calls.map(({ target, data }) => answer(target, data))
      return await Promise.resolve({ timestampSeconds: 7n, results })
    },
    aggregateNewest: () => Promise.reject(new Error('nothing is read at the newest block')),
    size: { maxItems: 100 },
    poolStates: () => Promise.reject(new Error('no pool is read')),
  }
  function answer(target: Address, data: Hex) {
    const field = selectors[data]
    const found = target === address && field ? metadata[field] : undefined
    return { success: found !== undefined, data: found ?? ('0x' as const) }
  }
}

function toText(text: string): Hex {
  return encodeFunctionResult({ abi: tokenAbi, functionName: 'name', result: text })
}

/** Encodes a text whose first byte is not UTF-8. */
function withInvalidUtf8(text: string): Hex {
  return toText(text).replace(stringToHex(text).slice(2), `ff${stringToHex(text).slice(4)}`) as Hex
}

function toBytes32(text: string): Hex {
  return pad(stringToHex(text), { dir: 'right', size: 32 })
}
