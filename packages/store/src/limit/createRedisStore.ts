import { randomBytes } from 'node:crypto'
import { createClient, defineScript } from '@redis/client'
import type { CountingRequest, CountingStore, HoldRequest } from './CountingStore.ts'
import type { Admission, WindowState } from './Limiter.ts'

const connectTimeoutMs = 2000
const retryMs = 250

// A process may see the end of a window this much later than Redis. The count of a window that ends so soon may be of the previous one.
const endingMs = 250

// How long the number of the last executed request is kept: longer than a request can take to arrive.
const maxNumberKeptMs = 600_000

/**
 * Creates a store of counts in Redis. Each request is one script.
 *
 * @throws `Error` if the URL is not a Redis URL
 */
export function createRedisStore(url: string, observe: ObserveCommand = (_, run) => run()): CountingStore {
  // Short, since every request carries it.
  const processId = randomBytes(6).toString('base64url')
  let client = createRedisClient(url)
  let listener: ((error: unknown) => void) | undefined
  async function open(): Promise<void> {
    client.on('error', (error) => listener?.(error))
    client.on('ready', loadScripts)
    await client.connect()
  }
  // Before any other command of a connection: a command whose script is not loaded is sent twice, and later ones overtake it.
  function loadScripts(): void {
    for (const { SCRIPT } of Object.values(scripts))
      client.scriptLoad(SCRIPT).catch((error: unknown) => listener?.(error))
  }
  return {
    name: 'Redis',
    async connect(onError) {
      listener = onError
      await open()
    },
    async admit(request) {
      const reply = await observe('admit', () => client.admit(processId, request))
      const admissions = toAdmissions(request.costs, reply)
      return { admissions, states: admissions.at(-1)?.states ?? reply.before }
    },
    hold: (request) => observe('hold', () => client.hold({ ...request, member: `${processId}:${request.member}` })),
    async release({ subject, member }) {
      await observe('release', () => client.zRem(heldKey(subject), `${processId}:${member}`))
    },
    async reconnect() {
      if (!client.isReady) return
      client.destroy()
      client = createRedisClient(url)
      await open()
    },
    close: () => client.destroy(),
  }
}

/** Runs a command of Redis, and observes its time and its outcome. */
export type ObserveCommand = <Reply>(command: 'admit' | 'hold' | 'release', run: () => Promise<Reply>) => Promise<Reply>

function createRedisClient(url: string) {
  try {
    return createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: retryMs },
      scripts,
    })
  } catch {
    // The cause would hold the URL, and with it the password.
    throw new Error('Cannot share limits: REDIS_URL is not a Redis URL')
  }
}

/**
 * Counts requests in turn, atomically. Each request counts in all windows, or in none if a window is full.
 *
 * The key after the windows holds the number of the last executed request of this process for the subject. A request is late if
 * its number is not higher: this process has counted its calls, and a later request has already raised the count by them.
 *
 * The first argument has what each request counts, such as "1,1,4".
 *
 * The script returns a text with 1 for each admission and 0 for each refusal. Two numbers per window follow: the calls used
 * before the first request, and the milliseconds until the window ends.
 */
const admitScript = defineScript({
  SCRIPT: `
    local count = tonumber(ARGV[4])
    local number = tonumber(ARGV[2])
    local last = tonumber(redis.call('GET', KEYS[count + 1])) or 0
    if number <= last then return redis.error_reply('LATE a later request was executed before this one') end
    redis.call('SET', KEYS[count + 1], number, 'PX', ARGV[3])
    local windows = {}
    for i = 1, count do
      local key = KEYS[i]
      local at = 3 * i + 2
      local limit, length, known = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
      local used, ttl = tonumber(redis.call('GET', key)), redis.call('PTTL', key)
      local isBegun = used or known > 0
      if not used and known > 0 then
        redis.call('SET', key, known, 'PX', length)
        used, ttl = known, length
      elseif used and known > used and length > ${endingMs} then
        used = redis.call('INCRBY', key, known - used)
      end
      windows[i] = { used = used or 0, ttl = isBegun and ttl or length, limit = limit, isBegun = isBegun }
    end
    local added = 0
    local admitted = {}
    for text in string.gmatch(ARGV[1], '%d+') do
      local after, bit = added + tonumber(text), '1'
      for _, window in ipairs(windows) do
        if window.used + after > window.limit then bit = '0' end
      end
      if bit == '1' then added = after end
      admitted[#admitted + 1] = bit
    end
    local answer = { table.concat(admitted) }
    for i = 1, count do
      local window = windows[i]
      if added > 0 then
        if window.isBegun then redis.call('INCRBY', KEYS[i], added)
        else redis.call('SET', KEYS[i], added, 'PX', window.ttl) end
      end
      answer[2 * i] = window.used
      answer[2 * i + 1] = window.ttl
    end
    return answer
  `,
  parseCommand(parser, processId: string, request: CountingRequest) {
    const { subject, windows, costs, number } = request
    // The braces keep a subject's keys on one node of a cluster.
    const keys = windows.map(({ name }) => `agio:{${subject}}:${name}`)
    keys.push(`agio:{${subject}}:last:${processId}`)
    parser.pushKeysLength(keys)
    const longestMs = windows.reduce((longest, { lengthMs }) => Math.max(longest, lengthMs), 0)
    const keptMs = Math.min(maxNumberKeptMs, Math.ceil(longestMs))
    parser.push(costs.join(','), String(number), String(keptMs), String(windows.length))
    for (const { limit, lengthMs, knownUsed } of windows) {
      parser.push(String(limit), String(Math.ceil(lengthMs)), String(knownUsed))
    }
  },
  transformReply: ([admitted, ...numbers]: ScriptReply) => {
    const before = Array.from({ length: numbers.length / 2 }, (_, index) => ({
      used: numbers[2 * index] as number,
      endsInMs: numbers[2 * index + 1] as number,
    }))
    return { admitted: Array.from(admitted, (bit) => bit === '1'), before }
  },
})

type ScriptReply = [admitted: string, ...number[]]

/** Returns the admission of each request, with the states of its windows afterwards. */
function toAdmissions(costs: readonly number[], { admitted, before }: AdmitReply): readonly Admission[] {
  let states = before
  return costs.map((cost, index) => {
    const isAdmitted = admitted[index] === true
    if (isAdmitted) states = states.map(({ used, endsInMs }) => ({ used: used + cost, endsInMs }))
    return { isAdmitted, states }
  })
}

type AdmitReply = {
  /** Whether each request was admitted. */
  readonly admitted: readonly boolean[]
  /** The windows before the first request. */
  readonly before: readonly WindowState[]
}

/**
 * Releases the expired members of a subject. Then holds a member unless the subject has reached its limit, and returns
 * whether the member is held.
 */
const holdScript = defineScript({
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

function heldKey(subject: string): string {
  return `agio:{${subject}}:held`
}

const scripts = { admit: admitScript, hold: holdScript }
