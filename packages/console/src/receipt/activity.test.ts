import { pending, quote, toStep } from '@agio/react/internal'
import { expect, it } from 'vitest'
import type { PageConversion } from '../convert/conversions/conversions.ts'
import { type ReadableStorage, findStoredQuote, isListed, listStoredConversions, toActivityRows } from './activity.ts'

const receipt = { amountIn: '100', amountOut: '65', tokenOut: quote.tokenOut } as never
const done: PageConversion = {
  id: 'one',
  quote,
  phase: 'idle',
  steps: [toStep({ kind: 'confirm', status: 'done', transactionHash: '0x1', receipt }, { pending })],
}
const running: PageConversion = { ...done, phase: 'running', steps: [toStep({ kind: 'convert', status: 'needed' })] }

it('a filter lists conversions by their outcome', () => {
  const filtersOf = (conversion: PageConversion) =>
    (['all', 'open', 'done', 'failed'] as const).filter((filter) => isListed(conversion, filter))
  expect([done, running].map(filtersOf)).toEqual([
    ['all', 'done'],
    ['all', 'open'],
  ])
})

it('the export has amounts only for what was converted', () => {
  const [header = [], first = [], second = []] = toActivityRows([done, running])
  expect(first).toHaveLength(header.length)
  expect(first.slice(2, 8)).toEqual(['100', 'tAUD', '65', 'tUSD', 'Done', '0x1'])
  expect(second.slice(2, 8)).toEqual(['', 'tAUD', '', 'tUSD', 'In progress', ''])
})

const hash = (digit: string) => `0x${digit.repeat(64)}`
const [tokenIn, tokenOut] = [{ symbol: 'tAUD' }, { symbol: 'tUSD' }]
const step = (kind: string, at: string, transactionHash?: string) => {
  const stored = { quote: `quote of ${at}`, amountIn: '100', amountOut: '65.08744', tokenIn, tokenOut }
  return JSON.stringify({ kind, at, transactionHash, state: { chainId: 1, quote: stored } })
}

const storageOf = (entries: Readonly<Record<string, string>>): ReadableStorage => ({
  listNames: () => Object.keys(entries),
  getItem: (name) => entries[name] ?? null,
})

const storage = storageOf({
  'agio.conversion.1': step('confirm', '2026-11-21T05:00:00.000Z', hash('a')),
  'agio.conversion.2': step('confirm', '2026-11-22T05:00:00.000Z', hash('b')),
  // The hash of an approval does not count as a conversion.
  'agio.conversion.3': step('approve', '2026-11-23T05:00:00.000Z', hash('c')),
  'agio.conversion.4': step('quote', '2026-11-24T05:00:00.000Z'),
  'agio.conversion.5': '{',
  'agio.conversion.6': '{"kind":"confirm"}',
  'agio.conversion.7': '{"kind":"confirm","at":"","transactionHash":"0x1","state":{"quote":{"quote":""}}}',
  'agio.theme': 'dark',
})

it('the conversions with a transaction are listed, the newest first', () => {
  expect(listStoredConversions(storage).map(({ transactionHash }) => transactionHash)).toEqual([hash('b'), hash('a')])
})

it('the quote of a transaction is found by its hash', () => {
  expect(findStoredQuote(storage, hash('a'))).toBe('quote of 2026-11-21T05:00:00.000Z')
  expect(findStoredQuote(storage, hash('c'))).toBeUndefined()
})
