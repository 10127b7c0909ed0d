import { decodePath } from '../http/decodePath.ts'
import { createEndpointMatcher } from '../router/restEndpoints.ts'
import { appRouter } from '../router/appRouter.ts'
import type { LocalHandler } from '../settings/LocalHandler.ts'
import { streamPath } from './createStreamEdge.ts'
import { listProcedureMethods } from './listProcedureMethods.ts'

/**
 * Creates the look-up of the methods that a path defines, for answers to `OPTIONS`.
 *
 * @param isPage whether a path is outside of the API. Such paths all define `GET`
 * @param local the handler of `/local/`, where there is one
 * @returns a function that returns the methods, without `HEAD` and `OPTIONS`; none for a path that does not exist
 */
export function createMethodFinder(
  isPage: (path: string) => boolean,
  local: LocalHandler | undefined,
): (path: string) => readonly string[] {
  const matchEndpoint = createEndpointMatcher(appRouter)
  return (path) => {
    if (isPage(path) || path === streamPath) return ['GET']
    if (path.startsWith('/trpc/')) return listProcedureMethods(path.slice('/trpc/'.length))
    if (path.startsWith('/local/')) return Object.keys(local?.(decodePath(path)) ?? {})
    // No endpoint has this method, so that a match lists those that its path has.
    const match = matchEndpoint('OPTIONS', path)
    return match && 'allow' in match ? match.allow : []
  }
}
