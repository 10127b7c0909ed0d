import { z } from 'zod'
import { integerInUrl, wholeNumber } from './fields.ts'

/** The number of a page, in a request. Default: the first page. */
export const pageNumber = integerInUrl({ minimum: 1, maximum: 1_000_000 })
  .default(1)
  .meta({ description: 'Number of the page, from 1', example: 1 })

/** Returns the schema of the size of a page, in a request. */
export function pageSize(of: string, { maximum, fallback }: { readonly maximum: number; readonly fallback: number }) {
  return integerInUrl({ minimum: 1, maximum })
    .default(fallback)
    .meta({ description: `Maximum number of ${of} per page`, example: 20 })
}

/** Returns the schema of the position of a page, in a response. */
export function pagination(of: string) {
  return z
    .object({
      page: wholeNumber.meta({ description: 'Number of the page', example: 1 }),
      limit: wholeNumber.meta({ description: `Maximum number of ${of} per page`, example: 20 }),
      total: wholeNumber.meta({ description: `Number of all ${of}`, example: 2 }),
    })
    .describe('Position of the page')
}
