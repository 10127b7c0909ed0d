import { expect, it } from 'vitest'
import { createRefresher, createTableCache } from './createTableCache.ts'

/** A table whose reads end when and how a test lets them. */
function createTable() {
  const reads: PromiseWithResolvers<string>[] = []
  const table = createTableCache(() => {
    const read = Promise.withResolvers<string>()
    reads.push(read)
    return read.promise
  }, 'initial')
  return { table, reads }
}

it('a table in memory has what the newest read has found, although an older read ends later', async () => {
  const { table, reads } = createTable()
  const [first, second, third] = [table.refresh(), table.refresh(), table.refresh()]
  expect(table.get()).toBe('initial')
  reads[1]?.resolve('second')
  await second
  expect(table.get()).toBe('second')
  reads[0]?.resolve('first')
  await first
  expect(table.get()).toBe('second')
  reads[2]?.resolve('third')
  await third
  expect(table.get()).toBe('third')
})

it('a read of a table that fails is reported and changes nothing in memory', async () => {
  const { table, reads } = createTable()
  const [failing, working] = [table.refresh(), table.refresh()]
  reads[1]?.resolve('found')
  await working
  reads[0]?.reject(new Error('unreachable'))
  await expect(failing).rejects.toThrow('unreachable')
  expect(table.get()).toBe('found')
})

it('tables are refreshed at other changes, after a failure and after ten seconds, and not otherwise', async () => {
  let [nowMs, count, isDown] = [0, 0, false]
  const refresh = createRefresher(
    async () => {
      if (isDown) throw new Error('unreachable')
      count += 1
    },
    () => nowMs,
  )
  const countAfter = async (...changes: readonly (readonly [string, string])[]) => {
    await refresh(new Map(changes)).catch(() => {})
    return count
  }
  expect(await countAfter()).toBe(0)
  expect(await countAfter(['a', '1'])).toBe(1)
  expect(await countAfter(['a', '1'])).toBe(1)
  expect(await countAfter(['a', '2'])).toBe(2)
  isDown = true
  expect(await countAfter(['a', '2'], ['b', '3'])).toBe(2)
  isDown = false
  expect(await countAfter(['a', '2'], ['b', '3'])).toBe(3)
  nowMs = 9999
  expect(await countAfter(['a', '2'], ['b', '3'])).toBe(3)
  nowMs = 10_000
  expect(await countAfter(['a', '2'], ['b', '3'])).toBe(4)
})
