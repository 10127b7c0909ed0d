import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { getIdle, type PollState, type Query } from '../poll/Poll.ts'
import { useAgio } from '../provider/AgioProvider.tsx'

/** The state of a value that a hook reads again and again. */
export type Polled<Data> = PollState<Data> & {
  /** Reads the value now. */
  readonly refetch: () => Promise<PollState<Data>>
}

/**
 * Reads the value of a query while the component is mounted and the page is visible.
 *
 * @param query undefined to read nothing
 *
 * @param isOver returns whether a value is the last one
 */
export function usePoll<Data>(query: Query<Data> | undefined, isOver?: (data: Data) => boolean): Polled<Data> {
  const { polls } = useAgio()
  const newest = useRef(query)
  useEffect(() => {
    newest.current = query
  })
  const key = query && JSON.stringify(query.queryKey)
  const subscribe = useCallback(
    (onChange: () => void) =>
      key !== undefined && newest.current ? polls.subscribe(newest.current, onChange) : () => {},
    [polls, key],
  )
  const state = useSyncExternalStore<PollState<Data>>(subscribe, () => (query ? polls.read(query) : getIdle()), getIdle)
  useEffect(() => {
    if (query) polls.use(query, isOver)
  })
  const refetch = useCallback(async () => (newest.current ? await polls.refetch(newest.current) : getIdle()), [polls])
  return { ...state, refetch }
}
