import type { Chain } from '@agio/chain'
import { Client } from '@agio/core'
import type { z } from 'zod'
import { priceQuote, quote } from '../../convert/quote.ts'
import type { quoteResponse } from '../../convert/quoteResponse.ts'
import { toMarketState } from '../../market/marketState.ts'
import { assertOutsider, getFreshSnapshot, resolveRoute } from '../../pools/snapshot.ts'
import { prepareProcedure } from '../../procedure/prepareProcedure.ts'
import { withoutClient, type Context } from '../../procedure/Context.ts'
import type { CallerStreams } from '../Streams.ts'
import type { TopicSource } from '../TopicSource.ts'
import { createReadSchedule, toErrorState } from './createReadSchedule.ts'
import type { TopicOf } from './topicSchemas.ts'

const runQuote = prepareProcedure('convert.quote', quote)

// The gas estimate and the wallet of a quote.
const quoteRequests = 4

// The search for the input of an exact output, by views of pools that are priced on chain, and the wallet of a quote.
const searchRequests = 16

// A quota stays used up for longer than a block.
const quotaRetryMs = 60_000

/**
 * Creates the source of a quote. It sends an event when the amounts change, and when half of the quote's validity has passed.
 * Each event counts toward the quota.
 *
 * A quote for a wallet reads the nodes, and each price of a pool that is priced on chain does too. These reads wait for the
 * slot of the key and are charged before they are made. If the charge is refused, the topic pauses until the window of the
 * budget ends.
 */
export function createQuoteSource(
  { topic: _, ...input }: TopicOf<'quote'>,
  { chain, context, streams, now }: Dependencies,
): TopicSource {
  const schedule = createReadSchedule(chain, now)
  const { isPricedOnChain, admit, readState } = createPriceReads(input, { chain, context, streams })
  let sentState: string | undefined
  let renewAtMs = Infinity
  let skippedUntilMs = -Infinity

  async function readQuote(): Promise<Quote> {
    const data = (await runQuote({ context, input })) as Quote
    // A quote that fails does not count toward the quota. A quote that the quota refuses is not sent.
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
        const isOnChain = await isPricedOnChain()
        let state = await readState({ isOnChain })
        if (state === sentState && now() < renewAtMs) return []
        if (isOnChain || input.userAddress !== undefined) {
          await admit({ isOnChain })
          // The price may have changed during the wait. A price that reads the nodes is compared at the next block instead.
          if (!isOnChain) state = await readState({ isOnChain })
        }
        const data = await readQuote()
        sentState = state
        renewAtMs = now() + Math.max(minRenewMs, (Date.parse(data.expiresAt) - context.now()) / 2)
        return [{ data }]
      } catch (error) {
        schedule.pauseAfter(error)
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

type Dependencies = {
  readonly chain: Chain
  readonly context: Context
  readonly streams: CallerStreams
  /** The monotonic clock, in milliseconds. */
  readonly now: () => number
}

/** Creates the reads of the price of a quote, and their admission. */
function createPriceReads(
  input: Omit<TopicOf<'quote'>, 'topic'>,
  { chain, context, streams }: Omit<Dependencies, 'now'>,
) {
  const { userAddress, amountOut } = input
  const shared = withoutWallet(input)
  const key = `quote ${JSON.stringify(shared)}`

  /** Returns whether a pool of the route is priced on chain. The error of a route that does not exist follows when it is priced. */
  async function isPricedOnChain(): Promise<boolean> {
    try {
      const route = resolveRoute(chain, await getFreshSnapshot(chain, context.now()), input)
      return route.some(({ pool }) => pool.pricing === 'on-chain')
    } catch {
      return false
    }
  }
  async function admit({ isOnChain }: { readonly isOnChain: boolean }): Promise<void> {
    await streams.takeQuote(context.client?.signal)
    Client.assertConnected(context.client)
    await streams.chargeQuoteReads(isOnChain && amountOut !== undefined ? searchRequests : quoteRequests)
  }
  return {
    isPricedOnChain,
    /** Waits for a slot of the key, and charges it. @throws `svc/rate-limited` if its budget for polls is used up */
    admit,
    /**
     * Returns the price as text, to compare it with the price that was sent. All streams with the same quote share one
     * computation.
     */
    async readState({ isOnChain }: { readonly isOnChain: boolean }): Promise<string> {
      // Not in the shared read: its errors affect all streams with the same quote.
      if (userAddress !== undefined) assertOutsider(chain, userAddress, 'userAddress')
      const charge = isOnChain ? () => admit({ isOnChain }) : undefined
      return await streams.share(chain, { key, charge }, async () => {
        const { callee, priced } = await priceQuote(withoutClient(context), shared)
        const { amountInRaw, amountOutRaw, limitRaw, route, block } = priced
        const { market } = toMarketState(route, block.timestampSeconds)
        return [callee.to, amountInRaw, amountOutRaw, limitRaw, market].join(' ')
      })
    },
  }
}

/** Removes the fields that do not change the price of a quote, so that all streams with the same price share one read. */
function withoutWallet({ userAddress, recipient, clientReference: _, ...input }: Omit<TopicOf<'quote'>, 'topic'>) {
  return recipient === userAddress ? input : { ...input, recipient }
}

type Quote = z.output<typeof quoteResponse>

// Shortly before a market closes, each quote has a shorter validity than the last.
const minRenewMs = 1000
