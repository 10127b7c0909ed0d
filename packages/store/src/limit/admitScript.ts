import { defineScript } from '@redis/client'
import type { SharedWindow } from './CountingStore.ts'
import type { Admission } from './Limiter.ts'

/**
 * Counts a request in all of its windows, or in none if one of them has no room, in one step.
 *
 * The script returns 1 or 0 for an admission or a refusal, then two numbers per window: the calls used, and the
 * milliseconds until it ends.
 */
export const admitScript = defineScript({
  SCRIPT: `
    local cost = tonumber(ARGV[1])
    local admitted = 1
    local windows = {}
    for i, key in ipairs(KEYS) do
      local limit, length = tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1])
      local known, unsynced = tonumber(ARGV[4 * i]), tonumber(ARGV[4 * i + 1])
      local used, ttl = tonumber(redis.call('GET', key)), redis.call('PTTL', key)
      if used then
        local least = used + unsynced
        -- The known count belongs to this window, and not to the previous one, if both end at the same time.
        if math.abs(ttl - length) < 250 then least = math.max(least, known) end
        if least > used then used = redis.call('INCRBY', key, least - used) end
      elseif known > 0 then
        redis.call('SET', key, known, 'PX', length)
        used, ttl = known, length
      end
      if (used or 0) + cost > limit then admitted = 0 end
      windows[i] = { used = used, ttl = ttl, length = length }
    end
    local answer = { admitted }
    for i, key in ipairs(KEYS) do
      local window = windows[i]
      if admitted == 1 then
        if window.used then redis.call('INCRBY', key, cost) else redis.call('SET', key, cost, 'PX', window.length) end
      end
      answer[2 * i] = (window.used or 0) + admitted * cost
      answer[2 * i + 1] = window.used and window.ttl or window.length
    end
    return answer
  `,
  parseCommand(parser, ...[subject, windows, cost]: Arguments) {
    // The braces keep a subject's keys on one node of a cluster.
    parser.pushKeysLength(windows.map(({ name }) => `agio:{${subject}}:${name}`))
    parser.push(String(cost))
    for (const { limit, lengthMs, knownUsed, unsynced } of windows) {
      parser.push(String(limit), String(Math.ceil(lengthMs)), String(knownUsed), String(unsynced))
    }
  },
  transformReply: ([admitted, ...numbers]: number[]): Admission => ({
    isAdmitted: admitted === 1,
    states: Array.from({ length: numbers.length / 2 }, (_, index) => ({
      used: numbers[2 * index] as number,
      endsInMs: numbers[2 * index + 1] as number,
    })),
  }),
})

type Arguments = [subject: string, windows: readonly SharedWindow[], cost: number]
