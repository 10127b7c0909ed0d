import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from '@agio/core'
import { describe, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { foreignPrices } from '../harness/deployForeignPools.ts'
import { setAge } from './changeMarket.ts'
import { toRequest, type Conversion } from './conversions.ts'
import { startForeignStack, type ForeignStack } from '../harness/startForeignStack.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

const transports = ['REST', 'tRPC'] as const
const daySeconds = 86_400n
const tenEur: Conversion = { from: 'fEUR', to: 'fUSD', amountIn: '10' }

const stack = setUp(() =>
  startForeignStack(async ({ deployment, oracles, chain }, deploymentsDir) => {
    ownOracle = chain.oracles.tAUD
    const pools = [...deployment.pools, chain.pools['tAUD/tUSD']]
    const feeds = {
      // With letters in lower case, as block explorers print them.
      [oracles.fEUR.toLowerCase()]: { maxAgeSeconds: 90_000 },
      [oracles.fSGD]: { maxAgeSeconds: 60 },
      [ownOracle]: { maxAgeSeconds: 90_000 },
    }
    await writeFile(join(deploymentsDir, '84532.json'), JSON.stringify({ ...deployment, pools, feeds }))
  }),
)
let ownOracle: Address

describe.each(partOf(transports))(
  'the maximum age of a price that a deployment declares for its feed (%s)',
  (transport) => {
    const call: ForeignStack['callers']['REST'] = (...args) => stack.callers[transport](...args)

    it('oracle.prices and pools.get show the maximum age of each feed, and the smaller one where a contract enforces its own', async () => {
      const { data } = await call('oracle.prices', { chainId: 84532 })
      expect(data?.['prices']).toMatchObject({
        fEUR: { maxAgeSeconds: 90_000 },
        fSGD: { maxAgeSeconds: 60 },
        fAUD: { maxAgeSeconds: 3600 },
        fUSD: { usd: '0.99870000', maxAgeSeconds: 3600 },
        tAUD: { oracle: ownOracle, maxAgeSeconds: 3600 },
        tUSD: { oracle: null, maxAgeSeconds: null },
      })
      const pool = await call('pools.get', { chainId: 84532, poolAddress: stack.market.pools['fEUR/fUSD'] })
      expect(pool.data?.['oracles']).toMatchObject({
        token0: { maxAgeSeconds: 90_000 },
        token1: { maxAgeSeconds: 3600 },
      })
    })

    it('a price of a day is converted at if its feed may be older, and refused one second past the declared age', async () => {
      const answer = foreignPrices.fEUR
      await setAge(stack, 'fEUR', { answer, ageSeconds: daySeconds })
      await refreshDollar()
      expect(await call('convert.preview', toRequest(stack, tenEur))).toMatchObject({ status: 200 })
      const givenAt = await setAge(stack, 'fEUR', { answer, ageSeconds: 90_001n })
      expect(await call('convert.preview', toRequest(stack, tenEur))).toMatchObject({
        status: 422,
        failure: {
          code: 'svc/stale-price',
          error: expect.stringContaining('90000 s'),
          updatedAt: new Date(Number(givenAt) * 1000).toISOString(),
          maxAgeSeconds: 90_000,
        },
      })
    })
  },
)

it('a pool that enforces an hour refuses an older price, even if the deployment declares more for its feed', async () => {
  const { chain } = stack.market
  await connectOwner(chain).client.increaseTime({ seconds: 3601 })
  await connectOwner(chain).client.mine({ blocks: 1 })
  await stack.seen()
  const { tAUD: tokenIn, tUSD: tokenOut } = chain.tokens
  const poolAddress = chain.pools['tAUD/tUSD']
  const request = { chainId: 84532, poolAddress, tokenIn, tokenOut, amountIn: '10' }
  const failure = { code: 'svc/stale-price', oracle: ownOracle, maxAgeSeconds: 3600 }
  expect(await stack.callers.REST('convert.preview', request)).toMatchObject({ status: 422, failure })
})

/** Keeps the price of the reference token fresh while the tests move the clock. */
async function refreshDollar(): Promise<void> {
  await setAge(stack, 'fUSD', { answer: foreignPrices.fUSD, ageSeconds: 0n })
}
