import { defineScenario } from '../defineScenario.ts'
import { readRound } from './readRound.ts'
import { writeRound } from './writeRound.ts'

// Longer than any price may count.
const backSeconds = 172_800n

/** Makes prices two days old, by the chain's clock, and stops the keeper from pushing them; time itself goes on as it was. */
export const stalePrice = defineScenario({
  name: 'stale-price',
  description: 'The oracles have said nothing for two days',
  options: {
    symbol: { type: 'name', of: 'oracles', isOptional: true, description: 'of this token alone' },
  },
  codes: ['svc/stale-price'],
  needsMining: true,
  async put({ chain, operator, keeper, onReset }, { symbol }) {
    onReset(await keeper.pause(chain.chainId))
    const chosen = Object.entries(chain.oracles).filter(([name]) => symbol === undefined || name === symbol)
    for (const [, oracle] of chosen) {
      const { answer } = await readRound(operator, oracle)
      const { timestamp } = await operator.client.getBlock()
      await writeRound(operator, oracle, { answer, updatedAtSeconds: timestamp - backSeconds })
    }
  },
})
