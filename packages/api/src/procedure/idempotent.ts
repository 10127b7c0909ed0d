import { errorCatalogue, Errors, ServiceError } from '@agio/core'
import type { Finish } from '@agio/store'
import { getKeyId, type Context } from './Context.ts'

/** The header that makes a retry of a creation safe. */
export const idempotencyHeader = 'Idempotency-Key'

/** The random bits of a UUID of version 4. */
const minBits = 122
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const randomUuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i

/**
 * Returns a resolver that honours the header `Idempotency-Key`: for 24 hours, calls with the same key and input have the
 * outcome of the first call. An outcome is a result, or a refusal that a retry cannot change.
 *
 * @param resolve creates something. It calls `finish` with its result in the transaction of the creation
 */
export function idempotent<Input, Output extends { readonly id: string }>(
  resolve: (options: Options<Input>, finish: Finish<Output>) => Promise<Output>,
): (options: Options<Input>) => Promise<Output> {
  return async (options) => {
    const { ctx, input, path } = options
    const key = ctx.exchange.request.headers.get(idempotencyHeader.toLowerCase())
    if (key === null) return await resolve(options, async () => {})
    assertIdempotencyKey(key)
    const callerId = path.startsWith('admin.') ? `operator:${ctx.operator?.name}` : getKeyId(ctx)
    const call = { callerId, operation: path, key, input: JSON.stringify(input) }
    const begun = await ctx.store.idempotency.begin(call)
    if ('outcome' in begun) return replay(JSON.parse(begun.outcome) as Outcome<Output>)
    try {
      return await resolve(options, (tx, output) =>
        begun.complete(JSON.stringify({ output }), { tx, createdId: output.id }),
      )
    } catch (error) {
      const isFinal = error instanceof ServiceError && !errorCatalogue[(error as ServiceError).code].retryable
      // If this fails, the lease of the key expires.
      await (isFinal ? begun.complete(formatRefusal(error)) : begun.release()).catch(() => {})
      throw error
    }
  }
}

type Options<Input> = { readonly ctx: Context; readonly input: Input; readonly path: string }

type Refusal = Pick<ServiceError, 'code' | 'message' | 'details'>

type Outcome<Output> = { readonly output: Output } | { readonly refusal: Refusal }

function formatRefusal({ code, message, details }: ServiceError): string {
  return JSON.stringify({ refusal: { code, message, details } satisfies Refusal })
}

function replay<Output>(outcome: Outcome<Output>): Output {
  if ('output' in outcome) return outcome.output
  throw Errors.repeated(outcome.refusal)
}

/** Asserts that a key has 122 random bits, as far as its characters tell. @throws `svc/invalid-request` */
function assertIdempotencyKey(key: string): void {
  const isText = /^[\x21-\x7e]{1,255}$/.test(key)
  if (isText && countBits(key) >= minBits) return
  const reason = isText
    ? `it has less than ${minBits} random bits. Send a UUID of version 4, 21 or more random characters, or 31 in hex`
    : 'it must have at most 255 visible ASCII characters'
  throw Errors.invalidRequest({ field: idempotencyHeader, reason })
}

/** Returns the number of bits that a random text of these characters can have. */
function countBits(key: string): number {
  // Other versions of UUID contain a time, a hash of a name, or a host: version 7 has only 74 random bits.
  if (uuid.test(key)) return randomUuid.test(key) ? minBits : 0
  const bitsPerCharacter = /^\d+$/.test(key) ? Math.log2(10) : /^[\da-f]+$/i.test(key) ? 4 : 6
  return key.length * bitsPerCharacter
}
