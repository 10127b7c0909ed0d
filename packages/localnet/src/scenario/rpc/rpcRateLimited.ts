import { defineScenario } from '../defineScenario.ts'
import { putFault } from './putFault.ts'

const refusal = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_005, message: 'limit exceeded' } })

/** Refuses every question to the node with status 429. */
export const rpcRateLimited = defineScenario({
  name: 'rpc-rate-limited',
  description: "The node limits the service's rate; previews go on for SNAPSHOT_MAX_AGE_MS",
  options: {},
  codes: ['svc/upstream-unavailable'],
  put: (stage) =>
    putFault(stage, ({ response }) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(refusal)
    }),
})
