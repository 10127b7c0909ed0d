import { defineScenario } from '../definition/defineScenario.ts'
import { Errors, type Address, type ServiceError } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { oracleAbi } from '../../price/keeper.ts'
import type { ChainOperator } from '../node/createChainOperator.ts'

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

// The factor that turns percent with six decimals into an integer.
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

const daysPerWeek = 7

/** Closes markets until midnight (UTC) after the next day, without a change of the chain. */
export const marketClosed = defineScenario({
  name: 'market-closed',
  description:
    'Closes the market of a token until midnight (UTC) after tomorrow. Without a symbol, all markets with hours close',
  effect: '`market: closed` in previews and quotes; svc/stale-price has `opensAt` while a price is stale',
  options: {
    symbol: { type: 'name', of: 'oracles', isOptional: true, description: 'the only token whose market is closed' },
  },
  codes: [],
  needsMining: true,
  async inject({ chain, operator, replaceSchedule, onReset }, { symbol }) {
    const { timestamp } = await operator.client.getBlock()
    const schedule = toClosedWeek(new Date(Number(timestamp) * 1000))
    for (const [name, oracle] of Object.entries(chain.oracles)) {
      if (symbol === undefined ? !hasHours(chain.deployment.feeds?.[oracle]) : name !== symbol) continue
      closeMarket(oracle)
    }
    // The next block has the new hours.
    await operator.client.mine({ blocks: 1 })

    function closeMarket(oracle: Address): void {
      onReset(() => replaceSchedule(oracle, undefined))
      replaceSchedule(oracle, schedule)
    }
  },
})

function hasHours(feed: { readonly schedule?: string | undefined } | undefined): boolean {
  return feed?.schedule !== undefined
}

/** Returns a week in UTC that is closed on the day of a time and on the next day. */
function toClosedWeek(now: Date): string {
  const today = (now.getUTCDay() + 6) % daysPerWeek
  const isClosed = (day: number) => day === today || day === (today + 1) % daysPerWeek
  return `UTC;${Array.from({ length: daysPerWeek }, (_, day) => (isClosed(day) ? 'C' : 'O')).join(',')}`
}

/** An oracle's latest answer in dollars with 8 decimals, and the Unix seconds of its update. */
type Round = { readonly answer: bigint; readonly updatedAtSeconds: bigint }

/** Reads the latest round of an oracle. */
export async function readRound({ client }: ChainOperator, address: Address): Promise<Round> {
  const [, answer, , updatedAtSeconds] = await client.readContract({
    address,
    abi: oracleAbi,
    functionName: 'latestRoundData',
  })
  return { answer, updatedAtSeconds }
}

/** Sets the round of an oracle, as its owner. */
async function writeRound(operator: ChainOperator, address: Address, round: Round): Promise<void> {
  const owner = await operator.client.readContract({ address, abi: oracleAbi, functionName: 'owner' })
  const args = [round.answer, round.updatedAtSeconds] as const
  await operator.sendAs(owner, address, encodeFunctionData({ abi: oracleAbi, functionName: 'setRound', args }))
}
