import { errorCatalogue, errorCodes } from '@agio/core'
import { z } from 'zod'
import { quoteResponse } from '../../convert/quoteResponse.ts'
import { health } from '../../health/toHealth.ts'
import { pricesResponse } from '../../market/prices.ts'
import { poolResponse } from '../../pools/get.ts'
import { wholeNumber } from '../../schema/fields.ts'
import { trackResponse } from '../../transaction/trackResponse.ts'

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

const failure = z
  .looseObject({
    success: z.literal(false).meta({ description: 'Always false' }),
    error: z.string().meta({ description: 'Code and description', example: 'svc/stale-price: Cannot convert' }),
    code: z.enum(errorCodes).meta({ description: 'Code of the error', example: 'svc/stale-price' }),
    type: z.string().meta({ description: 'Documentation of the code', example: '/docs/errors#stale-price' }),
    retryable: z.boolean().meta({ description: 'Whether it may pass by itself', example: true }),
    action: z.enum(actions).meta({ description: 'What to do next', example: 'wait' }),
    requestId: z.string().meta({ description: 'Id of the request that opened the stream', example: 'order-42' }),
  })
  .meta({ id: 'StreamFailure', description: 'An error as responses have it, with the details of its code' })

/** The data of an event of a topic that fails. The stream goes on. */
export const failedEvent = z
  .object({ ...at, error: failure.meta({ description: 'Why the topic fails now' }) })
  .meta({ id: 'FailedTopicEvent', description: 'A topic that fails now' })

/** The data of the last event of a process that stops. */
export const reconnectEvent = z
  .object({ reason: z.string().meta({ description: 'Why to reconnect', example: 'The process stops' }) })
  .meta({ id: 'ReconnectEvent', description: 'The stream ends here and continues elsewhere' })

/** The data of the last event of a key that is no longer valid. */
export const endEvent = z
  .object({ error: failure.meta({ description: 'Why the key is refused' }) })
  .meta({ id: 'EndEvent', description: 'The stream ends, and another one would be refused' })
