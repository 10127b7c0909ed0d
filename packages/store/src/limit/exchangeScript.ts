import { defineScript } from '@redis/client'
import type { KnownCount } from './CountingStore.ts'

const stream = 'agio:counts'
const maxEntries = 100
const keptMs = 60_000

type Arguments = [processId: string, cursor: string, counts: readonly KnownCount[]]

type Entry = readonly [id: string, fields: readonly string[]]

/**
 * Appends the counts of one process to a stream, unless there are none, and returns the entries after a cursor.
 *
 * The script returns the time of Redis in milliseconds, and the entries, each with its id, which begins with its time.
 */
export const exchangeScript = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    if ARGV[3] ~= '[]' then
      redis.call('XADD', KEYS[1], 'MAXLEN', ${maxEntries}, '*', 'from', ARGV[1], 'counts', ARGV[3])
      redis.call('PEXPIRE', KEYS[1], ${keptMs})
    end
    local time = redis.call('TIME')
    local read = redis.call('XREAD', 'COUNT', ${maxEntries}, 'STREAMS', KEYS[1], ARGV[2])
    return { time[1] * 1000 + math.floor(time[2] / 1000), read and read[1][2] or {} }
  `,
  parseCommand(parser, ...[processId, cursor, counts]: Arguments) {
    parser.pushKey(stream)
    const rows = counts.map(({ subject, window, used, endsInMs }) => [subject, window, used, Math.floor(endsInMs)])
    parser.push(processId, cursor, JSON.stringify(rows))
  },
  transformReply: ([nowMs, entries]: [number, readonly Entry[]]) => ({
    cursor: entries.at(-1)?.[0],
    entries: entries.map(([id, [, from, , counts = '[]']]) => ({
      from,
      counts: parseCounts(counts, nowMs - Number.parseInt(id, 10)),
    })),
  }),
})

function parseCounts(text: string, ageMs: number): readonly KnownCount[] {
  const rows = JSON.parse(text) as readonly (readonly [string, string, number, number])[]
  return rows.map(([subject, window, used, endsInMs]) => ({ subject, window, used, endsInMs: endsInMs - ageMs }))
}
