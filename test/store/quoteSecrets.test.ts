import { createKeyring, openQuoteSecrets } from '@agio/store/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { partOf } from '../harness/partOf.ts'
import { runSql } from './dumpDatabase.ts'
import { listDatabases, setUpDatabase } from './listDatabases.ts'
import { actor } from './shop.ts'

const databases = partOf(await listDatabases('secrets of quotes'))

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

type Secrets = Awaited<ReturnType<typeof openQuoteSecrets>>

describe.each(databases)('secrets of quotes on $name', ({ create }) => {
  const database = setUpDatabase(create)
  // Advances only by what a test adds.
  let passedMs = 0
  const monotonicMs = () => passedMs
  const open = (times: Partial<openQuoteSecrets.Dependencies> = {}): Promise<Secrets> =>
    openQuoteSecrets({ ...database, keyring: createKeyring([]), monotonicMs, ...times })
  const toText = (secret: Uint8Array | undefined) => Buffer.from(secret ?? []).toString('hex')
  /** Lets all stored secrets become older, by the database's clock. */
  const age = (days: number) =>
    runSql(database.db, `update quote_secrets set signs_from = signs_from - interval '${days} days'`)

  beforeEach(async () => {
    passedMs = 0
    await runSql(database.db, 'delete from quote_secrets')
  })

  it('of processes that open an empty database concurrently one creates the first secret, and all sign with it at once', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open()))
    const [first] = opened.map((secrets) => secrets.current())
    expect(first?.id).toMatch(/^[\w-]{12}$/)
    expect(first?.secret).toHaveLength(32)
    for (const secrets of opened) expect(secrets.current()).toEqual(first)
    expect(await runSql(database.db, 'select id from quote_secrets')).toEqual([{ id: first?.id }])
  })

  it('secrets differ in id and in every byte but few', async () => {
    const secrets = await open({ signsAfterMs: 0 })
    const all = [secrets.current()]
    for (const _ of 'abcdefgh') {
      await secrets.rotate(actor)
      all.push(secrets.current())
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(9)
    expect(new Set(all.map(({ secret }) => toText(secret))).size).toBe(9)
    for (let at = 0; at < 32; at += 1) expect(new Set(all.map(({ secret }) => secret[at])).size, `${at}`).not.toBe(1)
  })

  it("a new secret signs in every process at the same time of the database's clock, with any time on their own clocks", async () => {
    const [one, other] = [await open(), await open({ monotonicMs: () => monotonicMs() - 1e9 })]
    const { id } = await one.rotate(actor)
    await other.refresh()
    for (const ms of [0, minuteMs - 20_000, minuteMs + 1000]) {
      passedMs = ms
      expect([one.current().id === id, other.current().id === id], `${ms} ms`).toEqual(
        ms < minuteMs ? [false, false] : [true, true],
      )
    }
  })

  it('rotations within a minute are one, in every process, and the next minute has another', async () => {
    const [one, other] = [await open(), await open()]
    const rotated = await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 ? one : other).rotate(actor)))
    expect(new Set(rotated.map(({ id }) => id)).size).toBe(1)
    expect(new Set(rotated.map(({ signsFrom }) => signsFrom.getTime())).size).toBe(1)
    await age(1)
    const next = await other.rotate(actor)
    expect(next.id).not.toBe(rotated[0]?.id)
    await one.refresh()
    for (const { current } of [one, other]) expect(current().id).toBe(rotated[0]?.id)
    passedMs += 2 * minuteMs
    for (const { current } of [one, other]) expect(current().id).toBe(next.id)
  })

  it('a secret verifies for 90 days after another one has replaced it, and is deleted then', async () => {
    const secrets = await open({ signsAfterMs: 0 })
    const first = secrets.current()
    await age(400)
    await secrets.refresh()
    expect(secrets.current().id, 'the current secret signs however old it is').toBe(first.id)
    const { id } = await secrets.rotate(actor)
    expect(secrets.current().id).toBe(id)
    passedMs = 90 * dayMs - minuteMs
    expect(await secrets.find(first.id)).toMatchObject({ id: first.id, secret: first.secret })
    passedMs = 90 * dayMs + minuteMs
    expect(secrets.find(first.id), 'an expired one costs no look-up').toBeUndefined()
    passedMs = 0
    await age(89)
    await secrets.refresh()
    expect(await runSql(database.db, 'select id from quote_secrets')).toHaveLength(2)
    await age(1)
    await secrets.refresh()
    expect(await runSql(database.db, 'select id from quote_secrets')).toEqual([{ id }])
    expect(await secrets.find(first.id)).toBeUndefined()
    expect(secrets.current().id).toBe(id)
  })

  it('secrets that are deleted by hand verify no longer, and a new one signs at once', async () => {
    const [one, other] = [await open(), await open()]
    const lost = one.current()
    await runSql(database.db, 'delete from quote_secrets')
    await Promise.all([one.refresh(), other.refresh()])
    expect(one.current()).not.toEqual(lost)
    expect(other.current()).toEqual(one.current())
    expect(await one.find(lost.id)).toBeUndefined()
  })

  it('a revocation ends all secrets, and its new secret signs at once in every process', async () => {
    const [one, other] = [await open({ signsAfterMs: 0 }), await open()]
    const first = one.current()
    const { id: second } = await one.rotate(actor)
    const { id, createdAt, signsFrom } = await one.revokeAll(actor)
    expect(signsFrom).toEqual(createdAt)
    await other.refresh()
    for (const secrets of [one, other]) {
      expect(secrets.current().id).toBe(id)
      passedMs += minuteMs
      for (const revoked of [first.id, second]) expect(await secrets.find(revoked)).toBeUndefined()
    }
    expect(await runSql(database.db, 'select id from quote_secrets')).toEqual([{ id }])
  })

  it('unknown ids cost at most one look-up a second together, and a known one none', async () => {
    let reads = 0
    const counting = new Proxy(database.db, {
      get(target, name) {
        if (name === 'select') reads += 1
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const secrets = await open({ db: counting })
    const other = await open({ signsAfterMs: 0 })
    const flood = () => Promise.all(Array.from({ length: 500 }, async (_, at) => await secrets.find(`unknown-${at}`)))
    reads = 0
    for (const _ of 'abc') expect(new Set(await flood())).toEqual(new Set([undefined]))
    for (let count = 0; count < 100; count += 1) expect(secrets.find(secrets.current().id)).not.toBeInstanceOf(Promise)
    expect(reads).toBe(1)
    const { id } = await other.rotate(actor)
    passedMs += 1000
    expect((await Promise.all([flood(), secrets.find(id)]))[1]).toEqual(other.current())
    expect(reads).toBe(2)
  })
})
