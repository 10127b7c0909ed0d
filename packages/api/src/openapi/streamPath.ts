import { Network } from '@agio/core'
import type { z } from 'zod'
import { createSchema } from 'zod-openapi'
import {
  endEvent,
  eventSchemas,
  failedEvent,
  reconnectEvent,
  topicList,
  topicNames,
} from '../stream/topics/topicSchemas.ts'
import { capitalize } from './errorSchemas.ts'
import { keyedHeaders, keySecurity } from './errorResponses.ts'

const { quote, prices, pool, transaction, health } = eventSchemas

const events: readonly { readonly name: string; readonly data: readonly z.ZodType[] }[] = [
  { name: 'quote', data: [quote, failedEvent] },
  { name: 'prices', data: [prices, failedEvent] },
  { name: 'pool', data: [pool, failedEvent] },
  { name: 'transaction', data: [transaction, failedEvent] },
  { name: 'health', data: [health] },
  { name: 'reconnect', data: [reconnectEvent] },
  { name: 'end', data: [endEvent] },
]

const example = {
  id: `1.${Network.defaultChainId}:59:q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s.`,
  event: 'reconnect',
  data: { reason: 'The process stops' },
}

/** Returns the schemas that the path of streams refers to, by name. */
export function listStreamSchemas(): Record<string, unknown> {
  const data = [...new Set(events.flatMap((event) => event.data))]
  const components = [createSchema(topicList, { io: 'input' }), ...data.map((schema) => createSchema(schema))]
  const { StreamTopics: topics, ...others } = Object.assign({}, ...components.map((created) => created.components))
  return {
    ...others,
    StreamTopics: {
      ...topics,
      items: toUnion(
        'topic',
        topicNames.map((name) => [name, `${capitalize(name)}Topic`]),
      ),
    },
    ...Object.fromEntries(events.map((event) => [toEventName(event.name), toEventSchema(event)])),
    StreamEvent: {
      description: 'A Server-Sent Event: its name, its id, and its data as JSON',
      ...toUnion(
        'event',
        events.map(({ name }) => [name, toEventName(name)]),
      ),
    },
  }
}

/** Returns the union of schemas that a property discriminates, by its values and their names. */
function toUnion(propertyName: string, members: readonly (readonly [value: string, schema: string])[]) {
  const mapping = Object.fromEntries(members.map(([value, schema]) => [value, toRef(schema)]))
  return { oneOf: Object.values(mapping).map(($ref) => ({ $ref })), discriminator: { propertyName, mapping } }
}

function toEventName(event: string): string {
  return `${capitalize(event)}StreamEvent`
}

function toRef(schema: string): string {
  return `#/components/schemas/${schema}`
}

/** Returns the path of streams, for which trpc-to-openapi has no operation. */
export function createStreamPath(errorResponses: object) {
  return {
    '/api/v1/stream': {
      get: {
        operationId: 'watchTopics',
        'x-procedure': 'stream.watch',
        'x-scope': 'read',
        tags: ['Stream'],
        summary: 'Watch topics as Server-Sent Events',
        description:
          'Sends the current state of each topic at once, and then each change as long as the client reads. A slow client receives the newest state instead of a queue, but every transition of a transaction. The data of an event is the response of the operation, with the `index` of the topic. If the operation fails, the data has an `error`, and the stream continues. Reconnect with the id of the last event as `Last-Event-ID` to any replica. Transaction topics then replay every missed transition, and other topics send the current state. A comment follows every 15 seconds without an event. The event `reconnect` means that the process stops, and `end` that the key is no longer valid. A key may have 10 streams at a time, unless its tier has another limit. An event of a quote counts toward the quota, but not toward the rate.',
        security: keySecurity,
        parameters: [
          {
            name: 'topics',
            in: 'query',
            required: true,
            description: 'Topics to watch, as JSON: 1 to 20',
            // Not `content`, which few generators read: a client would send `[object Object]`.
            schema: {
              type: 'string',
              description: 'JSON of `StreamTopics`',
              contentMediaType: 'application/json',
              contentSchema: { $ref: toRef('StreamTopics') },
              example: JSON.stringify([{ topic: 'prices', chainId: Network.defaultChainId }, { topic: 'health' }]),
            },
          },
          {
            name: 'Last-Event-ID',
            in: 'header',
            description: 'Id of the last event, to continue after this event',
            schema: { type: 'string', maxLength: 12_000, description: 'Opaque' },
          },
          {
            name: 'lastEventId',
            in: 'query',
            description: 'The same for clients that cannot set the header. The header takes precedence',
            schema: { type: 'string', maxLength: 12_000, description: 'Opaque' },
          },
        ],
        responses: {
          200: {
            description: 'Events, until one side closes the connection',
            headers: keyedHeaders,
            content: { 'text/event-stream': { schema: { $ref: toRef('StreamEvent') }, example } },
          },
          ...errorResponses,
        },
      },
    },
  }
}

function toEventSchema({ name, data }: (typeof events)[number]) {
  const refs = data.map((schema) => ({ $ref: toRef(String(schema.meta()?.['id'])) }))
  const [only] = refs
  return {
    type: 'object',
    description: `An event with the name \`${name}\``,
    properties: {
      id: { type: 'string', description: 'Cursor to continue after this event: the next `Last-Event-ID`' },
      event: { type: 'string', const: name, description: 'Name of the event' },
      data:
        refs.length === 1
          ? only
          : { description: 'The state of the topic, or the reason why it currently fails', anyOf: refs },
    },
    required: ['id', 'event', 'data'],
    additionalProperties: false,
  }
}
