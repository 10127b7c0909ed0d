import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { defineScenario } from '../defineScenario.ts'
import type { Stage } from '../Scenario.ts'
import { listPools } from './listPools.ts'
import { readRound } from './readRound.ts'
import { takeTokens } from './takeTokens.ts'

const dollarsPerSide = 1000n
// One dollar, as oracles and the reference token have it.
const dollar = 10n ** 8n

/** Leaves a pool 1,000 dollars of each of its tokens, at the present prices. */
export const thinPool = defineScenario({
  name: 'thin-pool',
  description: '1,000 dollars a side remain in the pools: inputs worth over 500 are too large',
  options: {
    pool: { type: 'name', of: 'pools', isOptional: true, description: 'this one alone' },
  },
  codes: ['svc/above-max-origin'],
  needsMining: true,
  async put(stage, { pool: chosen }) {
    for (const [name, pool] of listPools(stage.chain, chosen)) {
      for (const [side, symbol] of name.split('/').entries()) await thin(stage, { pool, side, symbol })
    }
  },
})

type Side = { readonly pool: Address; readonly side: number; readonly symbol: string }

async function thin(stage: Stage, { pool, side, symbol }: Side): Promise<void> {
  const { client } = stage.operator
  const token = await client.readContract({
    address: pool,
    abi: poolAbi,
    functionName: 'numeraires',
    args: [BigInt(side)],
  })
  const [decimals, reserve, price] = await Promise.all([
    client.readContract({ address: token, abi: tokenAbi, functionName: 'decimals' }),
    client.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [pool] }),
    readPrice(stage, symbol),
  ])
  const keptRaw = (dollarsPerSide * dollar * 10n ** BigInt(decimals) + price - 1n) / price
  await takeTokens(stage, { token, holder: pool, amountRaw: reserve - keptRaw })
}

async function readPrice({ chain, operator }: Stage, symbol: string): Promise<bigint> {
  const oracle = chain.oracles[symbol]
  return oracle === undefined ? dollar : (await readRound(operator, oracle)).answer
}
