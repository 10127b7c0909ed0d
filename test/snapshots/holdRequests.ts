import type { ProxiedRequest, Proxy } from '../stack/startProxy.ts'

/** Stands before a node like one that is slow: some requests come to it only once they are let go. */
export function holdRequests(proxy: Proxy): Hold {
  const held = new Map<Matcher, PromiseWithResolvers<Outcome>>()
  proxy.setAnswer(async (request, response, askNode) => {
    const outcomes = [...held].filter(([matches]) => matches(request)).map(([, { promise }]) => promise)
    if ((await Promise.all(outcomes)).includes('broken off')) response.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(await askNode())
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

/** Keeps requests that match, those to come as well. */
export type Hold = (matches: Matcher) => {
  /** Lets all of them go. */
  pass(): void
  /** Breaks off instead, whenever such a request is made again too. */
  breakOff(): void
}
