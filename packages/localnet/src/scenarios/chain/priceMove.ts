import { Errors, type Address, type ServiceError } from '@agio/core'
import { defineScenario } from '../definition/defineScenario.ts'
import { readRound, writeRound } from './oracleRound.ts'

// Units per percent: a percentage has six decimals.
const scale = 1_000_000
// A hundred million dollars. Moves accumulate, and the pools' arithmetic would overflow far above this price.
const highestAnswer = 10n ** 16n

/** Moves an oracle's price without changing its age. */
export const priceMove = defineScenario({
  name: 'price-move',
  description: "Changes a token's price by a percentage, which may be negative",
  effect: 'previews at the new price; svc/below-min-target if minAmountOut was set at the old price',
  options: {
    symbol: { type: 'name', of: 'oracles', description: 'the token whose price moves' },
    percent: { type: 'number', min: -99, max: 1000, description: 'the change in percent' },
  },
  codes: ['svc/below-min-target'],
  needsMining: true,
  async inject({ chain, operator, onReset }, { symbol, percent }) {
    const oracle = chain.oracles[symbol] as Address
    const { answer, updatedAtSeconds } = await readRound(operator, oracle)
    const moved = (answer * BigInt(100 * scale + Math.round(percent * scale))) / BigInt(100 * scale)
    if (moved <= 0n) throw immovable(symbol, percent, 'the new price would not be positive')
    if (moved > highestAnswer) throw immovable(symbol, percent, 'the new price would be above 100,000,000 dollars')
    onReset(async () => {
      const now = await readRound(operator, oracle)
      await writeRound(operator, oracle, { ...now, answer })
    })
    await writeRound(operator, oracle, { answer: moved, updatedAtSeconds })
  },
})

function immovable(symbol: string, percent: number, reason: string): ServiceError {
  return Errors.invalidRequest({ field: 'percent', value: percent, action: `move the price of ${symbol}`, reason })
}
