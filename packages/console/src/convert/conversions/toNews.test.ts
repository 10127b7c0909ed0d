import { pending, quote, toStep } from '@agio/react/internal'
import { expect, it } from 'vitest'
import { toNews } from './toNews.ts'

const transactionHash = '0x02'
const sent = toStep({ kind: 'convert', status: 'sent', transactionHash }, { pending: { ...pending, transactionHash } })
const conversion = { id: '1', quote, steps: [sent], phase: 'running' } as const

it('a conversion is news once its transaction was sent', () => {
  expect(toNews({ ...conversion, steps: [] })).toBeUndefined()
  expect(toNews(conversion)).toMatchObject({ kind: 'sent', text: '100 tAUD → tUSD', href: '/receipt/0x02?chain=1' })
})

it('a conversion of another tab or of an earlier visit is no news', () => {
  expect(toNews({ ...conversion, phase: 'elsewhere' })).toBeUndefined()
  expect(toNews({ ...conversion, phase: 'idle' })).toBeUndefined()
})

it('a failed conversion names its cause', () => {
  const error = { code: 'wallet/rejected', message: 'The user rejected it', details: {} }
  expect(toNews({ ...conversion, phase: 'idle', hasRun: true, error })).toMatchObject({ kind: 'failed', href: '/' })
})
