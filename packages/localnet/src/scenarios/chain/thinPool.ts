import { poolAbi, tokenAbi } from '@agio/chain/abi'
import { Integer, type Address } from '@agio/core'
import { defineScenario, type ScenarioContext } from '../definition/defineScenario.ts'
import { listPools } from './listPools.ts'
import { readRound } from './oracleRound.ts'
import { withdrawUntilReset } from './withdrawUntilReset.ts'

const dollarsPerSide = 1000n
// One dollar with the 8 decimals of oracles. It is also the price of the reference token.
const dollar = 10n ** 8n

/** Leaves 1,000 dollars of each token in a pool, at the current prices. */
export const thinPool = defineScenario({
  name: 'thin-pool',
  description: '1,000 dollars of each token remain in the pools',
  effect: 'svc/above-max-origin for inputs worth over 500 dollars',
  options: {
    pool: { type: 'name', of: 'pools', isOptional: true, description: 'the only pool to empty' },
  },
  codes: ['svc/above-max-origin'],
  needsMining: true,
  async inject(context, { pool: chosen }) {
    for (const [name, pool] of listPools(context.chain, chosen)) {
      for (const [side, symbol] of name.split('/').entries()) await thin(context, { pool, side, symbol })
    }
  },
})

type Side = { readonly pool: Address; readonly side: number; readonly symbol: string }

async function thin(context: ScenarioContext, { pool, side, symbol }: Side): Promise<void> {
  const { client } = context.operator
  const token = await client.readContract({
    address: pool,
    abi: poolAbi,
    functionName: 'numeraires',
    args: [BigInt(side)],
  })
  const [decimals, reserve, price] = await Promise.all([
    client.readContract({ address: token, abi: tokenAbi, functionName: 'decimals' }),
    client.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [pool] }),
    readPrice(context, symbol),
  ])
  const keptRaw = Integer.ceilDiv(dollarsPerSide * dollar * 10n ** BigInt(decimals), price)
  await withdrawUntilReset(context, { token, holder: pool, amountRaw: reserve - keptRaw })
}

async function readPrice({ chain, operator }: ScenarioContext, symbol: string): Promise<bigint> {
  const oracle = chain.oracles[symbol]
  return oracle === undefined ? dollar : (await readRound(operator, oracle)).answer
}
