import type { Store } from '@agio/store'
import { z } from 'zod'
import { timestamp } from '../schema/fields.ts'

/** A secret that signs quotes in a response, without the secret itself. */
export const quoteSecret = z
  .object({
    id: z.string().meta({ description: 'Id of the new secret. Quotes begin with this id', example: 'rC0v-_3kP9xQ' }),
    createdAt: timestamp.meta({
      description: 'Time at which the secret was stored',
      example: '2026-11-21T05:00:00.000Z',
    }),
    signsFrom: timestamp.meta({ description: 'Time from which the secret signs', example: '2026-11-21T05:01:00.000Z' }),
  })
  .meta({ id: 'QuoteSecret', description: 'A secret that signs quotes, without the secret itself' })

type CreatedSecret = Awaited<ReturnType<Store['quoteSecrets']['rotate']>>

/** Returns a new secret in the form of a response, with times as text. */
export function toQuoteSecret({ id, createdAt, signsFrom }: CreatedSecret) {
  return { id, createdAt: createdAt.toISOString(), signsFrom: signsFrom.toISOString() }
}
