import { AgioError, type AnyAgioError } from '../errors/AgioError.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { toPlainQuote } from './toPlainQuote.ts'
import { refusePermit } from './signPermit.ts'

/** Removes the cause of an error, so that the conversion can continue. @throws the error if that is not possible */
export async function recover(run: ConversionRun, error: AnyAgioError): Promise<void> {
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

/** Replaces the expired quote with a new quote within the accepted limit. */
async function requote(run: ConversionRun, expired: AnyAgioError): Promise<void> {
  const { service, options, state } = run
  run.begin({ kind: 'quote', status: 'needed' })
  if (options.onQuoteExpired === 'fail') throw toExpired(state.quote, expired)
  await run.tell({ kind: 'quote', status: 'needed' })
  const { signal } = options
  const quote = toPlainQuote(await service.refresh(state.quote, { signal }))
  // The signature is dropped, because its deadline is the expiry of the old quote.
  run.update({ quote, permit: undefined })
  await run.tell({ kind: 'quote', status: 'done', quote, isRequote: true })
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
