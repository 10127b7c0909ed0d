import { defineScenario } from '../defineScenario.ts'

/** Stops mining. Whoever resets, and the scenario `mine`, start it again. */
export const noMining = defineScenario({
  name: 'no-mining',
  description: 'No blocks are mined: transactions stay pending, and broadcasts are answered so after their wait',
  options: {},
  codes: [],
  put: ({ operator }) => operator.stopMining(),
})
