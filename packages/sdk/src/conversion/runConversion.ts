import { isAgioError, AgioError, type AnyAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { proceed } from './proceed.ts'
import { settlePending } from './settlePending.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { toPlainQuote, type AgioQuoteData } from '../quote/AgioQuote.ts'
import { refusePermit } from './signPermit.ts'

// A user who confirms in time needs none. Each requote costs a request, and a permit must be signed again.
const maxRequotes = 3

/**
 * Runs a conversion to its end from any state, new or stored. It settles the last request to the wallet first. The
 * chain and the service determine what comes next.
 */
export async function runConversion(run: ConversionRun): Promise<SuccessfulReceipt> {
  for (;;) {
    const { pending } = run.state
    if (pending) {
      const receipt = await settlePending(run, pending)
      if (receipt) return receipt
      continue
    }
    try {
      await proceed(run)
    } catch (error) {
      if (!isAgioError(error)) throw error
      await recover(run, error)
    }
  }
}

/** Removes the cause of an error, so that the conversion can continue. @throws the error if that is not possible */
async function recover(run: ConversionRun, error: AnyAgioError): Promise<void> {
  // The service may build at a newer block than the one that the expiry was checked against.
  if (error.code === 'svc/quote-expired' || error.code === 'svc/deadline-passed') return await requote(run, error)
  const { permit } = run.state
  if (error.code !== 'svc/invalid-permit' || !permit) throw error
  run.update({ permit: undefined })
  const { reason } = error.details
  // A new signature helps if the old one has expired or its nonce was used.
  if (reason === 'deadline' || reason === 'nonce') return
  await refusePermit(run, { scheme: permit.kind, amount: permit.amount ?? '', error })
}

/**
 * Replaces the expired quote with a new quote within the accepted limit.
 *
 * @throws `svc/quote-expired` after three requotes; `convert/mismatch` for a quote that changes more than a requote may
 */
async function requote(run: ConversionRun, expired: AnyAgioError): Promise<void> {
  const { service, options, state } = run
  run.begin({ kind: 'quote', status: 'needed' })
  const { requotes = 0 } = state
  if (options.onQuoteExpired === 'fail' || requotes >= maxRequotes) throw toExpired(state.quote, expired)
  await run.publish({ kind: 'quote', status: 'needed' })
  const { signal } = options
  const quote = toPlainQuote(await service.refresh(state.quote, { signal }))
  // The signature is dropped, because its deadline is the expiry of the old quote.
  run.update({ quote, permit: undefined, requotes: requotes + 1 })
  await run.publish({ kind: 'quote', status: 'done', quote, isRequote: true })
}

function toExpired({ expiresAt }: AgioQuoteData, cause: AnyAgioError): AgioError {
  if (cause.code === 'svc/quote-expired') return cause
  const message = `svc/quote-expired: Cannot convert: the quote expired at ${expiresAt}`
  return new AgioError('svc/quote-expired', message, {
    details: { expiresAt },
    retryable: false,
    action: 'requote',
    cause,
  })
}
