import { useAgio } from '@agio/react/internal'
import { useCalls } from './useCalls.ts'
import { matchQuery, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../settings/console.ts'
import { trpc } from './trpc.ts'
import { useSession } from '../session/session.ts'

/**
 * Returns a function that sets or removes the API key of the page, clears the usage and the limits of the previous key, and
 * refreshes the page.
 */
export function useSwitchApiKey(): (apiKey: string) => void {
  const { polls } = useAgio()
  const queryClient = useQueryClient()
  const console = useConsole()
  return (apiKey) => {
    useSession.of(console).getState().setApiKey(apiKey)
    useCalls.of(console).setState({ limits: undefined })
    const ofKey = [trpc.usage, trpc.keys].map(({ pathKey }) => ({ queryKey: pathKey() }))
    for (const filter of ofKey) void queryClient.resetQueries(filter)
    // A reset reads at once. A second read would count as another call.
    void queryClient.invalidateQueries({ predicate: (query) => !ofKey.some((filter) => matchQuery(filter, query)) })
    polls.refresh()
  }
}
