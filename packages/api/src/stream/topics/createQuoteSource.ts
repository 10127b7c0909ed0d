import type { Chain } from '@agio/chain'
import type { z } from 'zod'
import { priceQuote, quote } from '../../convert/quote.ts'
import type { quoteResponse } from '../../convert/quoteResponse.ts'
import { toMarketState } from '../../market/marketState.ts'
import { assertOutsider } from '../../pools/snapshot.ts'
import { prepareProcedure } from '../../procedure/prepareProcedure.ts'
import { withoutClient, type Context } from '../../procedure/Context.ts'
import type { CallerStreams } from '../Streams.ts'
import type { TopicSource } from '../TopicSource.ts'
import { createReadSchedule, toErrorState } from './createReadSchedule.ts'
import type { TopicOf } from './topicSchemas.ts'

const runQuote = prepareProcedure('convert.quote', quote)

// A quota stays used up for longer than a block.
const quotaRetryMs = 60_000

/**
 * Creates the source of a quote. It sends an event when the amounts change, and when half of the quote's validity has passed.
 * Each event counts toward the quota.
 */
export function createQuoteSource(
  { topic: _, ...input }: TopicOf<'quote'>,
  { chain, context, streams, now }: createQuoteSource.Dependencies,
): TopicSource {
  const schedule = createReadSchedule(chain, now)
  const shared = withoutWallet(input)
  const key = `quote ${JSON.stringify(shared)}`
  let sentState: string | undefined
  let renewAtMs = Infinity
  let skippedUntilMs = -Infinity

  /**
   * Returns the price as text, to compare it with the price that was sent. All streams with the same quote share one
   * computation.
   */
  async function readState(): Promise<string> {
    const { userAddress } = input
    // Not in the shared read: its errors affect all streams with the same quote.
    if (userAddress !== undefined) assertOutsider(chain, userAddress, 'userAddress')
    return await streams.share(chain, { key }, async () => {
      const { callee, priced } = await priceQuote(withoutClient(context), shared)
      const { amountInRaw, amountOutRaw, limitRaw, route, block } = priced
      const { market } = toMarketState(route, block.timestampSeconds)
      return [callee.to, amountInRaw, amountOutRaw, limitRaw, market].join(' ')
    })
  }
  async function readQuote(): Promise<Quote> {
    const data = (await runQuote({ context, input })) as Quote
    // A quote that fails is not charged. A quote that cannot be charged is not sent.
    await streams.chargeQuote().catch((error: unknown) => {
      skippedUntilMs = now() + quotaRetryMs
      throw error
    })
    return data
  }
  return {
    topic: 'quote',
    chain,
    isDue: () => now() >= skippedUntilMs && (schedule.isDue() || now() >= renewAtMs),
    async read() {
      schedule.begin()
      try {
        const state = await readState()
        if (state === sentState && now() < renewAtMs) return []
        const data = await readQuote()
        sentState = state
        renewAtMs = now() + Math.max(minRenewMs, (Date.parse(data.expiresAt) - context.now()) / 2)
        return [{ data }]
      } catch (error) {
        schedule.retryAfter()
        renewAtMs = Infinity
        const state = toErrorState(error)
        if (state === sentState) return []
        sentState = state
        throw error
      }
    },
  }
}

export declare namespace createQuoteSource {
  type Dependencies = {
    readonly chain: Chain
    readonly context: Context
    readonly streams: CallerStreams
    /** The monotonic clock, in milliseconds. */
    readonly now: () => number
  }
}

/** Removes the fields that do not change the price of a quote, so that all streams with the same price share one read. */
function withoutWallet({ userAddress, recipient, clientReference: _, ...input }: Omit<TopicOf<'quote'>, 'topic'>) {
  return recipient === userAddress ? input : { ...input, recipient }
}

type Quote = z.output<typeof quoteResponse>

// Shortly before a market closes, each quote has a shorter validity than the last.
const minRenewMs = 1000
