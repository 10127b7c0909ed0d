import type { AppRouter } from '@agio/sdk/trpc'
import { useMutation, useQuery } from '@tanstack/react-query'
import { createTRPCContext } from '@trpc/tanstack-react-query'

const { useTRPC } = createTRPCContext<AppRouter>()

/** Lists pools, and broadcasts, by the hooks of TanStack Query. */
export function Pools({ signed }: { readonly signed: `0x${string}` }) {
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.pools.list.queryOptions({ chainId: 84532 }))
  const broadcast = useMutation(trpc.transaction.broadcast.mutationOptions())
  if (error?.data?.code === 'svc/rate-limited') return <p>Retry in {error.data.retryAfterSeconds} s</p>
  // @ts-expect-error There is no such code.
  if (error?.data?.code === 'svc/rate-limit') return null
  // @ts-expect-error There is no such operation.
  trpc.pools.lists
  // @ts-expect-error There is no such field.
  trpc.pools.get.queryOptions({ poolAdress: signed })
  return (
    <button onClick={() => broadcast.mutate({ signedTransaction: signed })}>
      {data?.pools.map(({ address }) => address satisfies `0x${string}`)}
    </button>
  )
}
