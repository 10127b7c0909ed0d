import { toErrorBody } from '../../errors/toErrorBody.ts'
import type { CallerStreams } from '../CallerStreams.ts'
import type { TopicWatch, WatchedChain } from '../TopicWatch.ts'
import { createDue } from './createDue.ts'

/** Watches the state of a chain that an operation returns: an event for each change of it, not for each block. */
export function createStateWatch(
  { topic, chain, key, read }: createStateWatch.Topic,
  { share, now }: createStateWatch.Parts,
): TopicWatch {
  const due = createDue(chain, now)
  let sent: string | undefined
  async function readShared(): Promise<SharedState> {
    return await share(chain, { key }, async () => {
      const data = await read()
      return { data, state: toState(data) }
    })
  }
  return {
    topic,
    chain,
    isDue: due.isDue,
    async read() {
      due.begin()
      try {
        const { data, state } = await readShared()
        if (state === sent) return []
        sent = state
        return [{ data }]
      } catch (error) {
        due.retryAfter()
        const state = toErrorState(error)
        if (state === sent) return []
        sent = state
        throw error
      }
    },
  }
}

export declare namespace createStateWatch {
  type Topic = {
    readonly topic: string
    readonly chain: WatchedChain
    /** Equal for topics that read the same. */
    readonly key: string
    /** Returns the response of the operation at the newest block. */
    readonly read: () => Promise<object>
  }
  type Parts = Pick<CallerStreams, 'share'> & {
    /** The monotonic clock, in milliseconds. */
    readonly now: () => number
  }
}

type SharedState = { readonly data: object; readonly state: string }

// They change with each block, also where nothing else does.
const blockFields: ReadonlySet<string> = new Set(['blockNumber', 'blockTimestamp', 'timestamp'])

function toState(data: object): string {
  const fields = Object.entries(data).filter(([name]) => !blockFields.has(name))
  return JSON.stringify(fields, (_, value: unknown) => (isFixedPrice(value) ? { ...value, lastUpdate: null } : value))
}

/** Returns whether a value is the price of the reference dollar, whose time is the time of the block. */
function isFixedPrice(value: unknown): value is { readonly maxAgeSeconds: null } {
  return typeof value === 'object' && value !== null && 'maxAgeSeconds' in value && value.maxAgeSeconds === null
}

/** The state of a topic that fails: an error is sent once, until another one or a result follows. */
export function toErrorState(error: unknown): string {
  return `error ${toErrorBody(error).code}`
}
