import { z } from 'zod'

/** The text of a quote, in a request or a response. An invalid text has its own error. */
export const quoteText = z.string().meta({
  description: 'Quote of `convert/quote`, exactly as returned',
  example:
    'rC0v-_3kP9xQ.eyJ2ZXJzaW9uIjoxLCJrZXlJZCI6ImtleV81UW0zeFU4blcyYUIiLCJjaGFpbklkIjo4NDUzMn0.4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0_KqDzI',
})
