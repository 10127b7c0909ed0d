import { describe, expect, it } from 'vitest'
import { createLogs, parties, type LoggedEvent } from '../../test/conversionLogs.ts'
import { listConversions } from './listConversions.ts'

const { router, user, other, aud, usd, eur, audPool, eurPool } = parties
const contracts = { router, pools: [audPool, eurPool], referenceToken: usd }

const list = (...events: readonly LoggedEvent[]) => listConversions(createLogs(...events), contracts)

const audTrade = {
  pool: audPool,
  trader: router,
  tokenIn: aud,
  tokenOut: usd,
  amountInRaw: 1000n,
  amountOutRaw: 651n,
}
const eurTrade = {
  pool: eurPool,
  trader: router,
  tokenIn: usd,
  tokenOut: eur,
  amountInRaw: 651n,
  amountOutRaw: 600n,
}

const routed = [
  { token: aud, from: user, to: router, amountRaw: 1000n },
  { token: aud, from: router, to: audPool, amountRaw: 1000n },
  { token: usd, from: audPool, to: router, amountRaw: 651n },
  audTrade,
  { token: usd, from: router, to: user, amountRaw: 651n },
] as const

const inTwoHops = [
  ...routed.slice(0, 4),
  { token: usd, from: router, to: eurPool, amountRaw: 651n },
  { token: eur, from: eurPool, to: router, amountRaw: 600n },
  eurTrade,
  { token: eur, from: router, to: other, amountRaw: 600n },
] as const

it('a conversion whose output goes to the second pool is not part of the next one', () => {
  const donated = [...routed.slice(0, 4), { token: usd, from: router, to: eurPool, amountRaw: 651n }]
  const second = [{ token: usd, from: other, to: router, amountRaw: 651n }, ...inTwoHops.slice(4)]
  expect(list(...donated, ...second)).toMatchObject([
    { payer: user, recipient: eurPool },
    { payer: other, recipient: other },
  ])
})

it('two swaps of one trader in two pools are two conversions', () => {
  const swaps = [
    { ...audTrade, trader: user },
    { ...eurTrade, trader: user },
  ]
  expect(list(...swaps)).toMatchObject([{ trades: [{ pool: audPool }] }, { trades: [{ pool: eurPool }] }])
})

it('the parties are the traders if no transfer of the amounts is recorded', () => {
  expect(list(audTrade)).toMatchObject([{ payer: router, recipient: router }])
})

it('transfers of other tokens do not decide who paid and who received', () => {
  const forged = [
    { token: other, from: other, to: router, amountRaw: 1000n },
    ...routed.slice(1, 4),
    { token: other, from: router, to: other, amountRaw: 651n },
    routed[4],
  ]
  expect(list(routed[0], ...forged)).toMatchObject([{ payer: user, recipient: user }])
})

it('an event of the same name without the fields of a trade does not count', () => {
  const [log] = createLogs(audTrade)
  if (!log) throw new Error('no log')
  expect(listConversions([{ ...log, data: '0x1234' }], contracts)).toEqual([])
  expect(listConversions([{ ...log, topics: log.topics.slice(0, 2) }], contracts)).toEqual([])
})

describe('events without number', () => {
  const repeat = (event: LoggedEvent, count: number) =>
    createLogs(event).flatMap((log) => Array.from({ length: count }, () => log))

  it('2,000 trades are listed, and more are refused with the reason', () => {
    expect(listConversions(repeat(audTrade, 2000), contracts)).toHaveLength(2000)
    const message = 'Cannot read the Trade events: there are more than 2000'
    expect(() => listConversions(repeat(audTrade, 2001), contracts)).toThrow(message)
  })

  it('more than 2,000 transfers of the converted tokens are refused with the reason', () => {
    const transfers = repeat({ token: aud, from: user, to: router, amountRaw: 1n }, 2001)
    const message = 'Cannot read the Transfer events: there are more than 2000'
    expect(() => listConversions([...transfers, ...createLogs(audTrade)], contracts)).toThrow(message)
  })
})
