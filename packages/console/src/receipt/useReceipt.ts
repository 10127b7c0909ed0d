import type { ChainId, ConversionReceipt } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { shown } from '../service/agio.ts'
import { findAgioError } from '../service/findAgioError.ts'
import { trpc } from '../service/trpc.ts'
import { useStream } from '../service/useStream.ts'
import { localStore } from '../storage/browserStorage.ts'
import { findStoredQuote } from './storedConversions.ts'

// In case the stream is interrupted.
const pollsMs = [10_000, 20_000, 20_000]
const lastPollMs = 60_000

/**
 * Reads the receipt of a transaction, again until it is mined. If the transaction was sent in this browser, its quote is compared,
 * which is in the body of the request only.
 */
export function useReceipt(transactionHash: `0x${string}`, chainId: ChainId) {
  const quote = useMemo(() => findStoredQuote(localStore, transactionHash), [transactionHash])
  const compared = useReceiptQuery({ transactionHash, chainId, quote, enabled: quote !== undefined })
  const isRefused = isOfQuote(compared.error)
  const plain = useReceiptQuery({ transactionHash, chainId, enabled: quote === undefined || isRefused })
  const { data, error, errorUpdatedAt, isFetching, refetch } = quote === undefined || isRefused ? plain : compared
  const isWatched = isPending(data)
  const last = useRef<string>(undefined)
  useStream(
    isWatched ? `transaction ${chainId} ${transactionHash}` : undefined,
    (options) => shown.watchTransaction({ transactionHash, chainId }, options),
    ({ status }) => {
      // The receipt has more than the stream tells: it is read once there is one.
      if (status !== 'pending' && last.current !== status) void refetch()
      last.current = status
    },
  )
  return {
    receipt: data,
    error,
    errorUpdatedAt,
    isFetching,
    refetch,
    /** Why the stored quote is not compared. */
    quoteError: isRefused ? compared.error : undefined,
  }
}

type Request = {
  readonly transactionHash: `0x${string}`
  readonly chainId: ChainId
  readonly quote?: string | undefined
  readonly enabled: boolean
}

function useReceiptQuery({ quote, enabled, ...request }: Request) {
  return useQuery(
    trpc.convert.receipt.queryOptions(
      { ...request, ...(quote !== undefined && { quote }) },
      {
        enabled,
        staleTime: 60_000,
        refetchInterval: ({ state: { data, dataUpdateCount } }) =>
          isPending(data) ? (pollsMs[dataUpdateCount - 1] ?? lastPollMs) : false,
      },
    ),
  )
}

function isPending(receipt: Pick<ConversionReceipt, 'status'> | undefined): boolean {
  return receipt?.status === 'pending'
}

/** Whether the service refused the quote, and not the transaction: another key has asked for it, or it is of another version. */
function isOfQuote(error: unknown): boolean {
  return findAgioError(error)?.code.startsWith('svc/quote-') ?? false
}
