import type { ProxiedRequest, Proxy } from './startProxy.ts'

/** Makes a proxy hold requests back, as a slow node would, until they are released. */
export function holdRequests(proxy: Proxy): Hold {
  const held = new Map<Matcher, PromiseWithResolvers<Outcome>>()
  proxy.setAnswer(async (request, response, callNode) => {
    const outcomes = [...held].filter(([matches]) => matches(request)).map(([, { promise }]) => promise)
    if ((await Promise.all(outcomes)).includes('broken off')) response.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(await callNode())
  })
  return (matches) => {
    const decision = Promise.withResolvers<Outcome>()
    held.set(matches, decision)
    return {
      pass() {
        held.delete(matches)
        decision.resolve('passed')
      },
      breakOff: () => decision.resolve('broken off'),
    }
  }
}

type Outcome = 'passed' | 'broken off'
type Matcher = (request: ProxiedRequest) => boolean

/** Holds all requests that match, including later ones. */
export type Hold = (matches: Matcher) => {
  /** Forwards all of them to the node. */
  pass(): void
  /** Closes their connections, and the connections of later requests that match. */
  breakOff(): void
}
