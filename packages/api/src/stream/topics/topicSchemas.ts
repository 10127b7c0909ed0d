import { z } from 'zod'
import { errorCatalogue, errorCodes, Tier } from '@agio/core'
import { quoteInput } from '../../convert/quote.ts'
import { address, chainIdOrDefault, wholeNumber } from '../../schema/fields.ts'
import { localExamples } from '../../schema/localExamples.ts'
import { trackInput } from '../../transaction/track.ts'
import { quoteResponse } from '../../convert/quoteResponse.ts'
import { health } from '../../health/toHealth.ts'
import { pricesResponse } from '../../market/prices.ts'
import { poolResponse } from '../../pools/get.ts'
import { trackResponse } from '../../transaction/trackResponse.ts'

// Each topic has the input of the operation whose response its events contain.
const quote = quoteInput.extend({ topic: z.literal('quote').describe('A quote of `convert/quote`') }).meta({
  id: 'QuoteTopic',
  description: 'A quote, again when its amounts change or half of its validity has passed',
})
const prices = z
  .strictObject({
    topic: z.literal('prices').describe('The prices of `oracle/prices`'),
    chainId: chainIdOrDefault,
  })
  .meta({ id: 'PricesTopic', description: 'The oracle prices of a network' })
const pool = z
  .strictObject({
    topic: z.literal('pool').describe('A pool of `pools`'),
    chainId: chainIdOrDefault,
    poolAddress: address.meta({ description: 'Address of the pool', example: localExamples.pool }),
  })
  .meta({ id: 'PoolTopic', description: 'A pool' })
const transaction = trackInput
  .extend({ topic: z.literal('transaction').describe('A transaction of `transaction/track`') })
  .meta({ id: 'TransactionTopic', description: 'A transaction, to its end' })
const healthTopic = z
  .strictObject({ topic: z.literal('health').describe('The health of `/health`') })
  .meta({ id: 'HealthTopic', description: 'The health of the service' })

/** The names of all topics. */
export const topicNames = ['quote', 'prices', 'pool', 'transaction', 'health'] as const

/** The topics of a stream. */
export const topicList = z
  .array(z.discriminatedUnion('topic', [quote, prices, pool, transaction, healthTopic]))
  .min(1, 'It has no topic')
  .max(Tier.maxTopics, `It has more than ${Tier.maxTopics} topics`)
  .meta({ id: 'StreamTopics', description: 'What a stream watches' })

/** A topic of a stream, as a request has it. */
export type Topic = z.output<typeof topicList>[number]

/** One topic by its name. */
export type TopicOf<Name extends Topic['topic']> = Extract<Topic, { readonly topic: Name }>

const at = { index: wholeNumber.meta({ description: 'Index of the topic in `topics`', example: 0 }) }

/** The data of the events of each topic: what its operation returns. */
export const eventSchemas = {
  quote: quoteResponse.extend(at).meta({ id: 'QuoteEvent', description: 'A new quote' }),
  prices: pricesResponse.extend(at).meta({ id: 'PricesEvent', description: 'New prices of a network' }),
  pool: poolResponse.extend(at).meta({ id: 'PoolEvent', description: 'The new state of a pool' }),
  transaction: trackResponse.extend(at).meta({ id: 'TransactionEvent', description: 'A transition of a transaction' }),
  health: health.extend(at).meta({ id: 'HealthEvent', description: 'The new health of the service' }),
}

const actions = [...new Set(Object.values(errorCatalogue).map(({ action }) => action))]

const traceIdExample = '4bf92f3577b34da6a3ce929d0e0e4736'

const failure = z
  .looseObject({
    success: z.literal(false).describe('Always false'),
    error: z.string().meta({ description: 'Code and description', example: 'svc/stale-price: Cannot convert' }),
    code: z.enum(errorCodes).meta({ description: 'Code of the error', example: 'svc/stale-price' }),
    type: z.string().meta({ description: 'Documentation of the code', example: '/docs/errors#stale-price' }),
    retryable: z.boolean().meta({ description: 'Whether it may pass by itself', example: true }),
    action: z.enum(actions).meta({ description: 'What to do next', example: 'wait' }),
    requestId: z.string().meta({ description: 'Id of the request that opened the stream', example: 'order-42' }),
    traceId: z.string().optional().meta({
      description: 'Id of the trace of that request, for the operator. Absent for most requests',
      example: traceIdExample,
    }),
  })
  .meta({ id: 'StreamFailure', description: 'An error as responses have it, with the details of its code' })

/** The data of an event of a topic that fails. The stream goes on. */
export const failedEvent = z
  .object({ ...at, error: failure.describe('Why the topic fails now') })
  .meta({ id: 'FailedTopicEvent', description: 'A topic that fails now' })

/** The data of the last event of a process that stops. */
export const reconnectEvent = z
  .object({ reason: z.string().meta({ description: 'Why to reconnect', example: 'The process stops' }) })
  .meta({ id: 'ReconnectEvent', description: 'The stream ends here and continues elsewhere' })

/** The data of the last event of a key that is no longer valid. */
export const endEvent = z
  .object({ error: failure.describe('Why the key is refused') })
  .meta({ id: 'EndEvent', description: 'The stream ends, and another one would be refused' })
