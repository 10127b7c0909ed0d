import type { ChainId, ConversionReceipt } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { findAgioError } from '../service/findAgioError.ts'
import { trpc } from '../service/trpc.ts'
import { localStore } from '../storage/browserStorage.ts'
import { findStoredQuote } from './storedConversions.ts'

// A block takes some seconds; a transaction that was not mined in a minute is looked for less often.
const pollsMs = [3000, 5000, 5000, 10_000]
const lastPollMs = 20_000

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
