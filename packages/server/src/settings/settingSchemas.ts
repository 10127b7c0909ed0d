import { Operator, Origin } from '@agio/core'
import { z } from 'zod'

/** Texts, comma-separated. */
export const list = z.string().transform((text): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const integer = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number)
/** A whole number from 1. */
export const positiveInteger = integer.pipe(z.int().min(1))
/** A TCP port. */
export const port = integer.pipe(z.int().max(65_535))

/** A time in milliseconds, at most the longest delay of a timer. */
export const milliseconds = integer.pipe(z.int().max(2_147_483_647))

/** The drain time in milliseconds. Supervisors wait for a few minutes at most. */
export const drainMilliseconds = integer.pipe(z.int().max(3_600_000))

/** A number of days, at most a hundred years. 0 keeps nothing. */
export const daysOrNone = integer.pipe(z.int().max(36_500))

/** A number of days, at most a hundred years. */
export const days = integer.pipe(z.int().min(1).max(36_500))

/** A time in seconds, at most a week. */
export const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number)
  .pipe(z.number().max(604_800))

/** The number of proxies. `on` stands for one. */
export const proxies = z.union([
  z.enum(['off', 'false', 'no']).transform(() => 0),
  z.enum(['on', 'true', 'yes']).transform(() => 1),
  z.string().regex(/^\d$/).transform(Number),
])

/** The URLs of nodes, by HTTP or WebSocket. */
export const nodeUrls = list
  .pipe(z.array(z.url({ protocol: /^(http|ws)s?$/ })).min(1))
  .transform((urls): readonly string[] => urls)

/** The URL of the service, without a slash at its end. */
export const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#@]/.test(url), 'must have no query, fragment or credentials')
  .transform((url) => new URL(url).href.replace(/\/+$/, ''))

/** Master keys. The first one encrypts, and the second one only decrypts. */
export const masterKeys = z
  .string()
  .transform((text): readonly string[] => text.split(/\s+/).filter((key) => key !== ''))
  .pipe(
    z
      .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64'))
      .min(1)
      .max(2),
  )
  .transform((keys): readonly string[] => keys)

/**
 * Accepts origins exactly as browsers send them in `Origin`. The error for any other value says what to write instead.
 */
export const corsOrigins = z.array(
  z.string().superRefine((value, context) => {
    const message = Origin.findError(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
)

/** The operators, one a line. */
export const operators = z.string().transform((text, context): readonly Operator.Operator[] => {
  try {
    return Operator.parseLines(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})
