import { defineScenario } from '../defineScenario.ts'

/** Mines what is pending, and goes on mining. */
export const mine = defineScenario({
  name: 'mine',
  description: 'Mining goes on, at once with a block of what is pending',
  options: {},
  codes: [],
  async put({ operator }) {
    await operator.startMining()
    await operator.client.mine({ blocks: 1 })
  },
})
