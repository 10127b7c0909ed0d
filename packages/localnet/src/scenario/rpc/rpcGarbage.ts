import { defineScenario } from '../defineScenario.ts'
import { putFault } from './putFault.ts'

/** Answers every question to the node with a page. */
export const rpcGarbage = defineScenario({
  name: 'rpc-garbage',
  description: 'The node answers what is no JSON-RPC; previews go on for SNAPSHOT_MAX_AGE_MS',
  options: {},
  codes: ['svc/upstream-error'],
  put: (stage) =>
    putFault(stage, ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    }),
})
