import { createQuotePauses } from '@agio/store/testing'
import { describe, expect, it } from 'vitest'
import { listDatabases, setUpDatabase } from './listDatabases.ts'
import { actor } from './shop.ts'

const databases = await listDatabases('pauses of quotes')

const [usd, aud, eur] = ['0x5FbDB2315678afecb367f032d93F642f64180aa3', '0xaaa', '0xBBB'] as const

describe.each(databases)('pauses of quotes on $name', ({ create }) => {
  const database = setUpDatabase(create)

  it('a pause is of one pair on one chain, in both directions, until it is resumed', async () => {
    const pauses = createQuotePauses(database)
    const pair = { chainId: 84532, tokens: [usd, aud] } as const
    expect(pauses.isPaused(pair)).toBe(false)
    await pauses.pause(pair, actor)
    expect(pauses.isPaused(pair)).toBe(true)
    expect(pauses.isPaused({ ...pair, tokens: [aud, usd] })).toBe(true)
    expect(pauses.isPaused({ ...pair, tokens: [usd, eur] })).toBe(false)
    expect(pauses.isPaused({ ...pair, chainId: 421614 })).toBe(false)
    const others = createQuotePauses(database)
    await others.refresh()
    expect(others.isPaused({ ...pair, tokens: [aud, usd] })).toBe(true)
    await others.resume({ ...pair, tokens: [aud, usd] }, actor)
    expect(others.isPaused(pair)).toBe(false)
    expect(pauses.isPaused(pair)).toBe(true)
    await pauses.refresh()
    expect(pauses.isPaused(pair)).toBe(false)
  })

  it('pauses are listed, the oldest first; pausing and resuming twice changes nothing', async () => {
    const pauses = createQuotePauses(database)
    const [first, second] = [
      { chainId: 84532, tokens: [eur, aud] },
      { chainId: 421614, tokens: [aud, eur] },
    ] as const
    for (const pair of [first, second, first]) await pauses.pause(pair, actor)
    const listed = await pauses.list()
    expect(listed).toEqual([
      { chainId: 84532, tokens: [eur, aud], pausedAt: expect.any(Date) as Date },
      { chainId: 421614, tokens: [eur, aud], pausedAt: expect.any(Date) as Date },
    ])
    await pauses.pause(second, actor)
    expect(await pauses.list()).toEqual(listed)
    for (const pair of [first, second, first]) await pauses.resume(pair, actor)
    expect(await pauses.list()).toEqual([])
  })
})
