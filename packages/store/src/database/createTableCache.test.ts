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

it('a table in memory has what the newest read has found, although older reads end or fail later', async () => {
  const { table, reads } = createTable()
  const [older, failing, newest] = [table.refresh(), table.refresh(), table.refresh()]
  expect(table.get()).toBe('initial')
  reads[2]?.resolve('newest')
  await newest
  reads[1]?.reject(new Error('unreachable'))
  await expect(failing).rejects.toThrow('unreachable')
  reads[0]?.resolve('older')
  await older
  expect(table.get()).toBe('newest')
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
