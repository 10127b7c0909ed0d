import { Errors } from '@agio/core'
import type { LocalControls } from '@agio/server'
import type { Exclusively } from '../scenarios/createScenarios.ts'
import type { ResettableContext } from '../scenarios/createScenarioContext.ts'
import { assertMining } from '../scenarios/chain/mining.ts'
import { parseTravelTime, type MarketChange, type TravelTime } from './parseTravelTime.ts'

// Beyond the year 9999, ISO 8601 has another form, which clients cannot read.
const lastMs = Date.parse('9999-01-01')

/** Creates the time of a local stack: the service and its chains travel together. */
export function createTime({ getControls, exclusively }: Dependencies): StackTime {
  async function toMs(to: unknown): Promise<number> {
    const time = parseTravelTime(to, getControls().now())
    return typeof time === 'number' ? time : await getMarketChange(getControls(), time)
  }
  return {
    now: () => new Date(getControls().now()),
    travel: (to) =>
      exclusively(async (contexts) => {
        const controls = getControls()
        const timeMs = await toMs(to)
        assertAhead(timeMs, controls.now())
        for (const context of contexts) await assertMining(context)
        await controls.moveTime(controls.aheadMs() + timeMs - controls.now())
        await Promise.all(contexts.map((context) => mineAt(context, timeMs)))
        await Promise.all(contexts.map((context) => context.waitUntilServed()))
        return new Date(controls.now())
      }),
  }
}

type Dependencies = {
  /** Returns the controls of the service once it has started. */
  readonly getControls: () => Pick<LocalControls, 'now' | 'aheadMs' | 'moveTime' | 'findMarketChange'>
  readonly exclusively: Exclusively
}

/** The time of a local stack. It moves forward only, also at a restore. */
export type StackTime = {
  /** Returns the time of the service and of its chains. */
  now(): Date
  /**
   * Moves the service and its chains to a time. Returns the new time once the service serves a block of that time.
   *
   * Prices are pushed by the system's clock, so a travel beyond their maximum age makes them stale.
   *
   * @throws `svc/invalid-request` for a time that is not ahead, if no market has such a change, while mining is stopped,
   * and if other processes share the database or the limits
   *
   * @example
   * await agio.time.travel('+2 hours')
   */
  travel(to: TravelTime): Promise<Date>
}

async function getMarketChange({ findMarketChange }: Pick<LocalControls, 'findMarketChange'>, change: MarketChange) {
  const verb = change === 'market-open' ? 'opens' : 'closes'
  const timeMs = await findMarketChange(change === 'market-open' ? 'open' : 'close')
  if (timeMs !== undefined) return timeMs
  const reason = `no feed has hours by which its market ${verb} within a year`
  throw Errors.invalidRequest({ field: 'to', value: change, action: `travel to ${change}`, reason })
}

function assertAhead(timeMs: number, nowMs: number): void {
  const refuse = (value: string, reason: string) =>
    Errors.invalidRequest({ field: 'to', value, action: `travel to ${value}`, reason })
  if (timeMs > lastMs) throw refuse(String(timeMs), 'it is after the year 9998')
  if (timeMs > nowMs) return
  const now = new Date(nowMs).toISOString()
  throw refuse(new Date(timeMs).toISOString(), `it is ${now} already, and time moves forward only`)
}

/** Mines a block at a time, or after the newest block if the chain is ahead of that time. */
async function mineAt({ operator: { client } }: ResettableContext, timeMs: number): Promise<void> {
  const { timestamp } = await client.getBlock()
  const atSeconds = BigInt(Math.floor(timeMs / 1000))
  if (atSeconds > timestamp) await client.setNextBlockTimestamp({ timestamp: atSeconds })
  await client.mine({ blocks: 1 })
}
