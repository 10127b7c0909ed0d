import { findAgioError } from '@agio/react/internal'
import type { ChainId, ConversionReceipt } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { trpc } from '../service/trpc.ts'
import { useFinality } from '../service/useFinality.ts'
import { localStore } from '../storage/browserStorage.ts'
import { findStoredQuote } from './activity.ts'

// Poll delays, in case the stream is interrupted.
const pollsMs = [10_000, 20_000, 20_000]
const lastPollMs = 60_000

/**
 * Reads the receipt of a transaction until it is mined. If the transaction was sent in this browser, the request
 * includes its quote for comparison. The quote is only in the body of the request.
 */
export function useReceipt(transactionHash: `0x${string}`, chainId: ChainId) {
  const quote = useMemo(() => findStoredQuote(localStore, transactionHash), [transactionHash])
  const compared = useReceiptQuery({ transactionHash, chainId, quote, enabled: quote !== undefined })
  const isRefused = isOfQuote(compared.error)
  const plain = useReceiptQuery({ transactionHash, chainId, enabled: quote === undefined || isRefused })
  const { data, error, errorUpdatedAt, isFetching, refetch } = quote === undefined || isRefused ? plain : compared
  const { finality, block } = useFinality(data && { transactionHash, chainId, hasFailed: data.status === 'failed' })
  const newBlock = data === undefined || block === (data.blockHash ?? 'none') ? undefined : block
  useEffect(() => {
    // The receipt has more fields than the stream, so it is read again for each block of the transaction.
    if (newBlock !== undefined) void refetch()
  }, [newBlock, refetch])
  const [wasMined, setWasMined] = useState(false)
  if (data?.blockHash !== undefined && !wasMined) setWasMined(true)
  return {
    receipt: data,
    error,
    errorUpdatedAt,
    isFetching,
    refetch,
    /** How final the receipt is. Undefined for a transaction that was never mined. */
    finality: wasMined ? finality : undefined,
    /** The reason why the stored quote is not compared. */
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

/**
 * Returns whether the service rejected the quote, not the transaction. The quote may belong to another key or version.
 */
function isOfQuote(error: unknown): boolean {
  return findAgioError(error)?.code.startsWith('svc/quote-') ?? false
}
