import { defineScenario } from '../definition/defineScenario.ts'
import { readRound, writeRound } from './oracleRound.ts'

// Longer than the maximum age of any price. A deployment may declare ages of several days.
const backSeconds = 864_000n

/** Makes prices ten days old and pauses the keeper. The chain's clock does not change. */
export const stalePrice = defineScenario({
  name: 'stale-price',
  description: 'The last oracle update is ten days old',
  effect: 'svc/stale-price',
  options: {
    symbol: { type: 'name', of: 'oracles', isOptional: true, description: 'the only token whose price is stale' },
  },
  codes: ['svc/stale-price'],
  needsMining: true,
  async inject({ chain, operator, keeper, onReset }, { symbol }) {
    onReset(await keeper.pause(chain.chainId))
    const chosen = Object.entries(chain.oracles).filter(([name]) => symbol === undefined || name === symbol)
    for (const [, oracle] of chosen) {
      const { answer } = await readRound(operator, oracle)
      const { timestamp } = await operator.client.getBlock()
      await writeRound(operator, oracle, { answer, updatedAtSeconds: timestamp - backSeconds })
    }
  },
})
