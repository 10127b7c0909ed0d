import { defineScript } from '@redis/client'

/** A window of Redis: where its counter is, and what is known of it elsewhere. */
export type SharedWindow = {
  readonly key: string
  readonly limit: number
  readonly lengthMs: number
  /** What is known to have been used of it, should Redis know less: it may have been emptied. */
  readonly usedBefore: number
  /** What was counted elsewhere while Redis was away, and is not among its own count. */
  readonly owed: number
}

/**
 * Counts a request in all its windows at once, or, if one of them has no room, in none.
 *
 * @returns 1 if it is admitted, else 0; then for each window what is used of it, and for how many milliseconds it lasts
 */
export const admitScript = defineScript({
  SCRIPT: `
    local cost = tonumber(ARGV[1])
    local admitted = 1
    local windows = {}
    for i, key in ipairs(KEYS) do
      local limit, length = tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1])
      local before, owed = tonumber(ARGV[4 * i]), tonumber(ARGV[4 * i + 1])
      local used, ttl = tonumber(redis.call('GET', key)), redis.call('PTTL', key)
      if used then
        local least = used + owed
        -- A count of the same window, which ends at the same time, and not of the one before it.
        if math.abs(ttl - length) < 250 then least = math.max(least, before) end
        if least > used then used = redis.call('INCRBY', key, least - used) end
      elseif before > 0 then
        redis.call('SET', key, before, 'PX', length)
        used, ttl = before, length
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
  parseCommand(parser, windows: readonly SharedWindow[], cost: number) {
    parser.pushKeysLength(windows.map(({ key }) => key))
    parser.push(String(cost))
    for (const { limit, lengthMs, usedBefore, owed } of windows) {
      parser.push(String(limit), String(Math.ceil(lengthMs)), String(usedBefore), String(owed))
    }
  },
  transformReply: (reply: number[]) => reply,
})
