import { useAgio } from '@agio/react/internal'
import { useCalls } from './calls.ts'
import { queryClient, trpc } from './trpc.ts'
import { useSession } from '../session/session.ts'

/**
 * Returns a function that sets or removes the API key of the page, clears the usage and the limits of the previous key, and
 * refreshes the page.
 */
export function useSwitchApiKey(): (apiKey: string) => void {
  const { polls } = useAgio()
  return (apiKey) => {
    useSession.getState().setApiKey(apiKey)
    useCalls.setState({ limits: undefined })
    for (const { pathKey } of [trpc.usage, trpc.keys]) void queryClient.resetQueries({ queryKey: pathKey() })
    void queryClient.invalidateQueries()
    polls.refresh()
  }
}
