import { defineScript } from '@redis/client'
import type { CountingRequest } from './CountingStore.ts'
import type { Admission, WindowState } from './Limiter.ts'

// How long the number of the last counted request is kept: longer than a request can be on its way.
const maxKeptMs = 600_000

/**
 * Counts requests in turn, each in all of the windows, or in none if one of them has no room, in one step.
 *
 * The last key holds the number of the last request of this process. A request with a lower number arrives too late: a
 * later one has added its calls. Of the attempts, those with higher numbers were never executed.
 *
 * The script returns a text with 1 or 0 for each admission or refusal, then two numbers per window: the calls used before
 * the first request, and the milliseconds until it ends. It returns -1 alone for a request that arrives too late.
 */
export const admitScript = defineScript({
  SCRIPT: `
    local count = #KEYS - 1
    local number = tonumber(ARGV[2])
    local last = tonumber(redis.call('GET', KEYS[count + 1])) or 0
    if number <= last then return { -1 } end
    redis.call('SET', KEYS[count + 1], number, 'PX', ARGV[3])
    local windows = {}
    for i = 1, count do
      local key = KEYS[i]
      local limit, length = tonumber(ARGV[4 * i]), tonumber(ARGV[4 * i + 1])
      local known, unsynced = tonumber(ARGV[4 * i + 2]), tonumber(ARGV[4 * i + 3])
      for attempt = 4 * count + 4, #ARGV, count + 1 do
        if tonumber(ARGV[attempt]) > last then unsynced = unsynced + tonumber(ARGV[attempt + i]) end
      end
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
      windows[i] = { used = used or 0, ttl = used and ttl or length, limit = limit, isBegun = used }
    end
    local calls = 0
    local admitted = {}
    for text in string.gmatch(ARGV[1], '%d+') do
      local cost, bit = tonumber(text), '1'
      for i = 1, count do
        if windows[i].used + calls + cost > windows[i].limit then bit = '0' end
      end
      if bit == '1' then calls = calls + cost end
      admitted[#admitted + 1] = bit
    end
    local answer = { table.concat(admitted) }
    for i = 1, count do
      local window = windows[i]
      if calls > 0 then
        if window.isBegun then redis.call('INCRBY', KEYS[i], calls)
        else redis.call('SET', KEYS[i], calls, 'PX', window.ttl) end
      end
      answer[2 * i] = window.used
      answer[2 * i + 1] = window.ttl
    end
    return answer
  `,
  parseCommand(parser, processId: string, { subject, windows, costs, number, attempts }: CountingRequest) {
    // The braces keep a subject's keys on one node of a cluster.
    const keys = windows.map(({ name }) => `agio:{${subject}}:${name}`)
    keys.push(`agio:{${subject}}:last:${processId}`)
    parser.pushKeysLength(keys)
    const longestMs = windows.reduce((longest, { lengthMs }) => Math.max(longest, lengthMs), 0)
    const keptMs = Math.min(maxKeptMs, Math.ceil(longestMs))
    parser.push(costs.join(), String(number), String(keptMs))
    for (const { limit, lengthMs, knownUsed, unsynced } of windows) {
      parser.push(String(limit), String(Math.ceil(lengthMs)), String(knownUsed), String(unsynced))
    }
    for (const attempt of attempts) parser.push(String(attempt.number), ...attempt.calls.map(String))
  },
  transformReply: ([admitted, ...numbers]: [string | -1, ...number[]]): Counted | undefined => {
    if (admitted === -1) return undefined
    const before = Array.from({ length: numbers.length / 2 }, (_, index) => ({
      used: numbers[2 * index] as number,
      endsInMs: numbers[2 * index + 1] as number,
    }))
    return { admitted: Array.from(admitted, (bit) => bit === '1'), before }
  },
})

/** Returns the admission of each request, with the windows after it. */
export function toAdmissions(costs: readonly number[], { admitted, before }: Counted): readonly Admission[] {
  let calls = 0
  return costs.map((cost, index) => {
    const isAdmitted = admitted[index] === true
    if (isAdmitted) calls += cost
    return { isAdmitted, states: before.map(({ used, endsInMs }) => ({ used: used + calls, endsInMs })) }
  })
}

type Counted = {
  /** Whether each request was admitted. */
  readonly admitted: readonly boolean[]
  /** The windows before the first of them. */
  readonly before: readonly WindowState[]
}
