import { defineScenario, type ScenarioContext } from '../definition/defineScenario.ts'
import { Errors, type Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { maxStep, oracleAbi } from '../../price/keeper.ts'
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

/** Moves an oracle's price without changing its age, in rounds within the largest step. */
export const priceMove = defineScenario({
  name: 'price-move',
  description: "Changes a token's price by a percentage, which may be negative",
  effect:
    'previews at the new price; svc/below-min-target if minAmountOut was set at the old price; svc/stale-price beyond the bounds of the pool',
  options: {
    symbol: { type: 'name', of: 'oracles', description: 'the token whose price moves' },
    percent: { type: 'number', min: -99, max: 1000, description: 'the change in percent' },
  },
  codes: ['svc/below-min-target'],
  needsMining: true,
  async inject({ chain, operator, onReset }, { symbol, percent }) {
    const oracle = chain.oracles[symbol] as Address
    const { answer } = await readRound(operator, oracle)
    const moved = (answer * BigInt(100 * scale + Math.round(percent * scale))) / BigInt(100 * scale)
    assertPlausible(moved, { field: 'percent', value: percent, symbol })
    const before = await restoreOnReset({ operator, onReset }, oracle)
    for (const round of listSteps(answer, moved)) await writeRound(operator, oracle, { ...before, answer: round })
  },
})

/** Asserts that a price neither is zero nor overflows the arithmetic of pools. @throws `svc/invalid-request` */
export function assertPlausible(answer: bigint, { symbol, ...option }: assertPlausible.Option): void {
  if (answer > 0n && answer <= highestAnswer) return
  const limit = answer <= 0n ? 'not be positive' : 'be above 100,000,000 dollars'
  const action = `move the price of ${symbol}`
  throw Errors.invalidRequest({ ...option, action, reason: `the new price would ${limit}` })
}

declare namespace assertPlausible {
  /** The option of the scenario that leads to the price of a token. */
  type Option = { readonly field: string; readonly value: number; readonly symbol: string }
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

/** Lists the answers of rounds that lead from an answer to another, each within the largest step from the one before. */
function listSteps(from: bigint, to: bigint): readonly bigint[] {
  const answers: bigint[] = []
  for (let answer = from; answer !== to; answers.push(answer)) {
    const most = (answer * maxStep) / 10n ** 18n || 1n
    const rest = to - answer
    answer = rest > most ? answer + most : rest < -most ? answer - most : to
  }
  return answers
}

/** Gives a feed one round with another answer until the reset, and keeps its age. */
export async function replaceAnswer(context: FeedContext, address: Address, answer: bigint): Promise<void> {
  const before = await restoreOnReset(context, address)
  await writeRound(context.operator, address, { ...before, answer })
}

type FeedContext = Pick<ScenarioContext, 'operator' | 'onReset'>

/**
 * Restores the answer of a feed at the reset, which also confirms it: prices are pushed once more. Returns the newest
 * round.
 */
async function restoreOnReset({ operator, onReset }: FeedContext, address: Address): Promise<Round> {
  const before = await readRound(operator, address)
  onReset(async () => {
    const now = await readRound(operator, address)
    await writeRound(operator, address, { ...now, answer: before.answer })
  })
  return before
}

/** Sets the round of an oracle, as its owner. */
export async function writeRound(operator: ChainOperator, address: Address, round: Round): Promise<void> {
  const owner = await operator.client.readContract({ address, abi: oracleAbi, functionName: 'owner' })
  const args = [round.answer, round.updatedAtSeconds] as const
  await operator.sendAs(owner, address, encodeFunctionData({ abi: oracleAbi, functionName: 'setRound', args }))
}
