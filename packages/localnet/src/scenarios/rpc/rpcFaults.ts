import { setTimeout as wait } from 'node:timers/promises'
import { defineScenario, type ScenarioContext } from '../definition/defineScenario.ts'
import type { RpcFault } from '../node/startFaultProxies.ts'

/** Closes every connection to the node. */
export const rpcDown = defineScenario({
  name: 'rpc-down',
  description: 'The node is unreachable',
  effect: 'svc/upstream-unavailable; previews continue for SNAPSHOT_MAX_AGE_MS',
  options: {},
  codes: ['svc/upstream-unavailable'],
  part: 'node',
  inject: (context) => injectFault(context, ({ response }) => void response.destroy()),
})

/** Delays every request to the node. */
export const rpcSlow = defineScenario({
  name: 'rpc-slow',
  description: 'Delays every response of the node by this many milliseconds',
  effect: 'svc/upstream-timeout if the delay exceeds the 4,000 ms of one attempt',
  options: {
    ms: { type: 'number', min: 0, max: 60_000, isWhole: true, description: 'the delay in milliseconds' },
  },
  codes: ['svc/upstream-timeout'],
  part: 'node',
  inject: (context, { ms }) =>
    injectFault(context, async ({ forward, cleared }) => {
      await wait(ms, undefined, { signal: cleared }).catch(() => {})
      await forward()
    }),
})

const limitExceeded = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_005, message: 'limit exceeded' } })

/** Rejects every request to the node with status 429. */
export const rpcRateLimited = defineScenario({
  name: 'rpc-rate-limited',
  description: 'The node rejects every request with status 429',
  effect: 'svc/upstream-unavailable; previews continue for SNAPSHOT_MAX_AGE_MS',
  options: {},
  codes: ['svc/upstream-unavailable'],
  part: 'node',
  inject: (context) =>
    injectFault(context, ({ response }) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(limitExceeded)
    }),
})

/** Answers every request to the node with an HTML page. */
export const rpcGarbage = defineScenario({
  name: 'rpc-garbage',
  description: 'The node answers with an HTML page instead of JSON-RPC',
  effect: 'svc/upstream-error; previews continue for SNAPSHOT_MAX_AGE_MS',
  options: {},
  codes: ['svc/upstream-error'],
  part: 'node',
  inject: (context) =>
    injectFault(context, ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    }),
})

/** Injects a fault between the service and its node, instead of the previous fault. */
async function injectFault(context: ScenarioContext, fault: RpcFault): Promise<void> {
  const proxy = context.getProxy()
  context.onReset(proxy.clear)
  proxy.inject(fault)
  // A previous fault may have opened the circuit. Without this reset, the service would not call the node.
  context.resetCircuits()
}
