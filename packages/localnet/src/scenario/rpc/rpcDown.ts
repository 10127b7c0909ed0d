import { defineScenario } from '../defineScenario.ts'
import { putFault } from './putFault.ts'

/** Breaks every connection to the node off. */
export const rpcDown = defineScenario({
  name: 'rpc-down',
  description: 'The service cannot reach its node; previews go on for SNAPSHOT_MAX_AGE_MS',
  options: {},
  codes: ['svc/upstream-unavailable'],
  put: (stage) => putFault(stage, ({ response }) => void response.destroy()),
})
