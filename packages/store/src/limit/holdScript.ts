import { defineScript } from '@redis/client'

/** What is held, until a time after which it counts as released. */
export type HoldRequest = {
  /** Owner of what is held. */
  readonly subject: string
  /** What is held, different from all else that any process holds. */
  readonly member: string
  /** How many members the subject may hold; undefined to renew one that is held already. */
  readonly limit: number | undefined
  readonly ttlMs: number
}

/** Returns the key of what a subject holds. */
export function heldKey(subject: string): string {
  return `agio:{${subject}}:held`
}

/** Holds a member unless its subject holds as many as it may, and returns whether it does. Members whose time is over are released. */
export const holdScript = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local limit, ttl = tonumber(ARGV[2]), tonumber(ARGV[3])
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
    if limit >= 0 and redis.call('ZCARD', KEYS[1]) >= limit then return 0 end
    redis.call('ZADD', KEYS[1], now + ttl, ARGV[1])
    redis.call('PEXPIRE', KEYS[1], ttl)
    return 1
  `,
  parseCommand(parser, { subject, member, limit = -1, ttlMs }: HoldRequest) {
    parser.pushKey(heldKey(subject))
    parser.push(member, String(limit), String(ttlMs))
  },
  transformReply: (reply: number) => reply === 1,
})
