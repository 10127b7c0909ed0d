import { pending, quote, toStep } from '@agio/react/internal'
import { expect, it } from 'vitest'
import type { PageConversion } from '../convert/conversions/conversions.ts'
import { isListed, toActivityRows } from './activity.ts'

const receipt = { amountIn: '100', amountOut: '65', tokenOut: quote.tokenOut } as never
const done: PageConversion = {
  id: 'one',
  quote,
  phase: 'idle',
  steps: [toStep({ kind: 'confirm', status: 'done', transactionHash: '0x1', receipt }, { pending })],
}
const running: PageConversion = { ...done, phase: 'running', steps: [toStep({ kind: 'convert', status: 'needed' })] }

it('a filter lists conversions by their outcome', () => {
  expect((['all', 'open', 'done', 'failed'] as const).map((filter) => isListed(done, filter))).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect((['all', 'open', 'done', 'failed'] as const).map((filter) => isListed(running, filter))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

it('the export has amounts only for what was converted', () => {
  const [header = [], first = [], second = []] = toActivityRows([done, running])
  expect(first).toHaveLength(header.length)
  expect(first.slice(2, 8)).toEqual(['100', 'tAUD', '65', 'tUSD', 'Done', '0x1'])
  expect(second.slice(2, 8)).toEqual(['', 'tAUD', '', 'tUSD', 'In progress', ''])
})
