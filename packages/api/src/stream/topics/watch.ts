import { tracked } from '@trpc/server'
import { z } from 'zod'
import { procedure } from '../../procedure/procedure.ts'
import type { StreamItem } from '../Streams.ts'
import { type eventSchemas, type failedEvent, type reconnectEvent, topicList, type Topic } from './topicSchemas.ts'
import { openTopics } from './openTopics.ts'

/** The input of `stream.watch`. When a client reconnects, it sends the input again, with the id of the last event. */
export const watchInput = z.strictObject({ topics: topicList, lastEventId: z.string().optional() })

/** Subscribes to topics: the events of `GET /api/v1/stream`, each with its topic in the data. */
export const watch = procedure
  .meta({ scope: 'read' })
  .input(watchInput)
  .subscription(async ({ ctx, input, signal }) => {
    const { topics, lastEventId } = input
    const options = { topics, lastEventId, signal: signal ?? new AbortController().signal }
    return handleRejections(toTracked(await openTopics(ctx, options)))
  })

/** The data of an event over tRPC. */
type WatchData =
  | { [Name in Topic['topic']]: WithTopic<Name, (typeof eventSchemas)[Name] | typeof failedEvent> }[Topic['topic']]
  | WithTopic<'reconnect', typeof reconnectEvent>

type WithTopic<Name extends string, Schema extends z.ZodType> = z.output<Schema> & { readonly topic: Name }

async function* toTracked(items: AsyncGenerator<StreamItem, void, void>) {
  for await (const item of items) {
    // tRPC sends its own heartbeats.
    if (item === 'heartbeat') continue
    if (item.refusal) throw item.refusal
    yield tracked(item.id, { topic: item.topic, ...item.data } as WatchData)
    // An error instead of a normal end: after a normal end, the client would not reconnect.
    if (item.topic === 'reconnect') throw new DOMException('The process stops', 'AbortError')
  }
}

/**
 * Handles the rejections of a generator. tRPC requests the next item before its client has read the current one. While the
 * client is slow, nothing else handles an error of the next item, and an unhandled rejection would end the process.
 */
function handleRejections<Item>(items: AsyncGenerator<Item, void, void>): AsyncGenerator<Item, void, void> {
  const next = items.next.bind(items)
  return Object.assign(items, {
    next() {
      const item = next()
      item.catch(() => {})
      return item
    },
  })
}
