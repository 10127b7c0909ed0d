import { useSession } from '../session/session.ts'
import { useCalls } from './calls.ts'
import { queryClient, trpc } from './trpc.ts'

/** Sets the API key of the page, or none, and asks again for what it shows. What belongs to the previous key is forgotten. */
export function switchApiKey(apiKey: string): void {
  useSession.getState().setApiKey(apiKey)
  useCalls.setState({ limits: undefined })
  void queryClient.resetQueries({ queryKey: trpc.usage.pathKey() })
  void queryClient.invalidateQueries()
}
