import { setTimeout as wait } from 'node:timers/promises'
import { defineScenario } from '../defineScenario.ts'
import { putFault } from './putFault.ts'

/** Keeps every question to the node waiting before it is passed on. */
export const rpcSlow = defineScenario({
  name: 'rpc-slow',
  description: 'The node answers so many milliseconds late; one attempt has 4,000',
  options: {
    ms: { type: 'number', min: 0, max: 60_000, isWhole: true, description: 'how late' },
  },
  codes: ['svc/upstream-timeout'],
  put: (stage, { ms }) =>
    putFault(stage, async ({ passOn, cleared }) => {
      await wait(ms, undefined, { signal: cleared }).catch(() => {})
      await passOn()
    }),
})
