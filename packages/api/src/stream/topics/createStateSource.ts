import type { CallerStreams } from '../Streams.ts'
import type { TopicSource, StreamChain } from '../TopicSource.ts'
import { createReadSchedule, toErrorState } from './createReadSchedule.ts'

/**
 * Creates the source of a state that an operation reads from a chain. It sends an event for each change, not for each block.
 */
export function createStateSource({ topic, chain, key, read }: Topic, { share, now }: Dependencies): TopicSource {
  const schedule = createReadSchedule(chain, now)
  let sentState: string | undefined
  async function readShared(): Promise<SharedState> {
    return await share(chain, { key }, async () => {
      const data = await read()
      return { data, state: toState(data) }
    })
  }
  return {
    topic,
    chain,
    isDue: schedule.isDue,
    async read() {
      schedule.begin()
      try {
        const { data, state } = await readShared()
        if (state === sentState) return []
        sentState = state
        return [{ data }]
      } catch (error) {
        schedule.retryAfter()
        const state = toErrorState(error)
        if (state === sentState) return []
        sentState = state
        throw error
      }
    },
  }
}

type Topic = {
  readonly topic: string
  readonly chain: StreamChain
  /** Topics with the same key share one read. */
  readonly key: string
  /** Returns the response of the operation at the newest block. */
  readonly read: () => Promise<object>
}
type Dependencies = Pick<CallerStreams, 'share'> & {
  /** The monotonic clock, in milliseconds. */
  readonly now: () => number
}

type SharedState = { readonly data: object; readonly state: string }

// These fields change with each block, even if nothing else changes.
const blockFields: ReadonlySet<string> = new Set(['blockNumber', 'blockTimestamp', 'timestamp'])

function toState(data: object): string {
  const fields = Object.entries(data).filter(([name]) => !blockFields.has(name))
  return JSON.stringify(fields, (_, value: unknown) => (isFixedPrice(value) ? { ...value, lastUpdate: null } : value))
}

/** Returns whether a value is the price of the reference dollar, whose time is the time of the block. */
function isFixedPrice(value: unknown): value is { readonly maxAgeSeconds: null } {
  return typeof value === 'object' && value !== null && 'maxAgeSeconds' in value && value.maxAgeSeconds === null
}
