import { ServiceError, type Address } from '@agio/core'
import { defineScenario } from '../defineScenario.ts'
import { readRound } from './readRound.ts'
import { writeRound } from './writeRound.ts'

// Parts of a percent that are still counted.
const scale = 1_000_000

/** Moves an oracle's price, and leaves its age as it is. */
export const priceMove = defineScenario({
  name: 'price-move',
  description: "A token's price moves by so many percent, which may be negative",
  options: {
    symbol: { type: 'name', of: 'oracles', description: 'whose price' },
    percent: { type: 'number', min: -99, max: 1000, description: 'by how much' },
  },
  codes: ['svc/below-min-target'],
  needsMining: true,
  async put({ chain, operator, onReset }, { symbol, percent }) {
    const oracle = chain.oracles[symbol] as Address
    const { answer, updatedAtSeconds } = await readRound(operator, oracle)
    const moved = (answer * BigInt(100 * scale + Math.round(percent * scale))) / BigInt(100 * scale)
    if (moved <= 0n)
      throw new ServiceError('svc/invalid-request', `Cannot move the price of ${symbol}: nothing would be left of it`, {
        field: 'percent',
        value: percent,
      })
    onReset(async () => {
      const now = await readRound(operator, oracle)
      await writeRound(operator, oracle, { ...now, answer })
    })
    await writeRound(operator, oracle, { answer: moved, updatedAtSeconds })
  },
})
