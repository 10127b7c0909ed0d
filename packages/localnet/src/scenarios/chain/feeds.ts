import { Errors, type Address } from '@agio/core'
import { defineScenario, type ScenarioContext } from '../definition/defineScenario.ts'
import { assertPlausible, readRound, replaceAnswer, writeRound } from './prices.ts'

const down = 1n

/** Reports a stop of the sequencer, without a change of the prices. */
export const sequencerDown = defineScenario({
  name: 'sequencer-down',
  description: 'The uptime feed reports that the sequencer of the network is down',
  effect: 'svc/stale-price with the reason sequencer',
  options: {},
  codes: ['svc/stale-price'],
  needsMining: true,
  async inject(context) {
    const { operator, onReset } = context
    const feed = getFeed(context, 'sequencerFeed')
    const before = await readRound(operator, feed)
    onReset(() => writeRound(operator, feed, before))
    const { timestamp } = await operator.client.getBlock()
    await writeRound(operator, feed, { answer: down, updatedAtSeconds: timestamp })
  },
})

// The factor that turns a factor with six decimals into an integer.
const scale = 1_000_000

/** Gives oracles one wrong round, and pauses the keeper, whose next round would confirm it. */
export const priceJump = defineScenario({
  name: 'price-jump',
  description: 'One wrong round multiplies the price of each token',
  effect:
    'svc/stale-price with the reason bounds or step, or previews at the wrong price if it is within the largest step of the pool',
  options: {
    symbol: { type: 'name', of: 'oracles', isOptional: true, description: 'the only token whose price is wrong' },
    factor: { type: 'number', min: 0.001, max: 1000, isOptional: true, description: 'the factor, default 10' },
  },
  codes: ['svc/stale-price'],
  needsMining: true,
  async inject(context, { symbol, factor = 10 }) {
    context.onReset(await context.keeper.pause(context.chain.chainId))
    for (const [name, oracle] of Object.entries(context.chain.oracles)) {
      if (symbol !== undefined && name !== symbol) continue
      const { answer } = await readRound(context.operator, oracle)
      const wrong = (answer * BigInt(Math.round(factor * scale))) / BigInt(scale)
      assertPlausible(wrong, { field: 'factor', value: factor, symbol: name })
      await replaceAnswer(context, oracle, wrong)
    }
  },
})

// Dollars with 8 decimals, per percent.
const percentOfDollar = 1_000_000

/** Moves the reference token away from one dollar. */
export const depeg = defineScenario({
  name: 'depeg',
  description: 'The feed of the reference token reports that it is not worth a dollar',
  effect: 'svc/reference-depegged, or no change if the price is within the band of the pool',
  options: {
    percent: { type: 'number', min: -99, max: 100, isOptional: true, description: 'the change in percent, default -5' },
  },
  codes: ['svc/reference-depegged'],
  needsMining: true,
  async inject(context, { percent = -5 }) {
    const answer = BigInt(Math.round((100 + percent) * percentOfDollar))
    await replaceAnswer(context, getFeed(context, 'referenceFeed'), answer)
  },
})

/** @throws `svc/invalid-request` for a chain whose pools do not read such a feed, as a fork may have */
function getFeed({ chain }: ScenarioContext, name: 'sequencerFeed' | 'referenceFeed'): Address {
  const feed = chain[name]
  if (feed) return feed
  const { chainId } = chain
  const subject = name === 'sequencerFeed' ? 'the sequencer' : 'the reference token'
  const reason = `the pools of chain ${chainId} check no feed of ${subject}`
  throw Errors.invalidRequest({ field: 'chainId', value: chainId, reason })
}
