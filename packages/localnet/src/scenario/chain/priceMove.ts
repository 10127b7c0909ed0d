import { ServiceError, type Address } from '@agio/core'
import { defineScenario } from '../defineScenario.ts'
import { readRound } from './readRound.ts'
import { writeRound } from './writeRound.ts'

// Parts of a percent that are still counted.
const scale = 1_000_000
// A hundred million dollars. Moves add up, and far above it the pools' own figures would overflow.
const highestAnswer = 10n ** 16n

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
    if (moved <= 0n) throw immovable(symbol, percent, 'nothing would be left of it')
    if (moved > highestAnswer) throw immovable(symbol, percent, 'it would be above 100,000,000 dollars')
    onReset(async () => {
      const now = await readRound(operator, oracle)
      await writeRound(operator, oracle, { ...now, answer })
    })
    await writeRound(operator, oracle, { answer: moved, updatedAtSeconds })
  },
})

function immovable(symbol: string, percent: number, reason: string): ServiceError {
  const details = { field: 'percent', value: percent }
  return new ServiceError('svc/invalid-request', `Cannot move the price of ${symbol}: ${reason}`, details)
}
