import { z } from 'zod'
import { quoteInput } from '../../convert/quote.ts'
import { address, chainIdOrDefault } from '../../schema/fields.ts'
import { localExamples } from '../../schema/localExamples.ts'
import { trackInput } from '../../transaction/track.ts'

/** What a stream may watch, each with the input of the operation whose response its events contain. */
const quote = quoteInput
  .extend({ topic: z.literal('quote').meta({ description: 'A quote of `convert/quote`' }) })
  .meta({
    id: 'QuoteTopic',
    description: 'A quote, again when its amounts change or half of its validity has passed',
  })
const prices = z
  .strictObject({
    topic: z.literal('prices').meta({ description: 'The prices of `oracle/prices`' }),
    chainId: chainIdOrDefault,
  })
  .meta({ id: 'PricesTopic', description: 'The oracle prices of a network' })
const pool = z
  .strictObject({
    topic: z.literal('pool').meta({ description: 'A pool of `pools`' }),
    chainId: chainIdOrDefault,
    poolAddress: address.meta({ description: 'Address of the pool', example: localExamples.pool }),
  })
  .meta({ id: 'PoolTopic', description: 'A pool' })
const transaction = trackInput
  .extend({ topic: z.literal('transaction').meta({ description: 'A transaction of `transaction/track`' }) })
  .meta({ id: 'TransactionTopic', description: 'A transaction, to its end' })
const health = z
  .strictObject({ topic: z.literal('health').meta({ description: 'The health of `/health`' }) })
  .meta({ id: 'HealthTopic', description: 'The health of the service' })

/** The names of all topics. */
export const topicNames = ['quote', 'prices', 'pool', 'transaction', 'health'] as const

const maxTopics = 20

/** The topics of a stream. */
export const topicList = z
  .array(z.discriminatedUnion('topic', [quote, prices, pool, transaction, health]))
  .min(1, 'It has no topic')
  .max(maxTopics, `It has more than ${maxTopics} topics`)
  .meta({ id: 'StreamTopics', description: 'What a stream watches' })

export type Topic = z.output<typeof topicList>[number]

/** One topic by its name. */
export type TopicOf<Name extends Topic['topic']> = Extract<Topic, { readonly topic: Name }>
