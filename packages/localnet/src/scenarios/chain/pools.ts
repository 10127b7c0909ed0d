import { poolAbi, tokenAbi, faucetAbi } from '@agio/chain/abi'
import { Integer, type Address, Errors } from '@agio/core'
import { defineScenario, type ScenarioContext } from '../definition/defineScenario.ts'
import { readRound } from './prices.ts'
import { encodeFunctionData } from 'viem'
import type { ChainOperator } from '../node/createChainOperator.ts'
import type { LocalChain } from '../../chain/LocalChain.ts'

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

/** Freezes pools, as their owner, until the next reset. */
export const poolFrozen = defineScenario({
  name: 'pool-frozen',
  description: 'The owner freezes all pools, or the named pool',
  effect: 'svc/pool-frozen',
  options: {
    pool: { type: 'name', of: 'pools', isOptional: true, description: 'the only pool to freeze' },
  },
  codes: ['svc/pool-frozen'],
  needsMining: true,
  async inject({ chain, operator, onReset }, { pool: chosen }) {
    for (const [, pool] of listPools(chain, chosen)) {
      if (await operator.client.readContract({ address: pool, abi: poolAbi, functionName: 'frozen' })) continue
      onReset(() => setFrozen(operator, pool, false))
      await setFrozen(operator, pool, true)
    }
  },
})

async function setFrozen(operator: ChainOperator, pool: Address, isFrozen: boolean): Promise<void> {
  const owner = await operator.client.readContract({ address: pool, abi: poolAbi, functionName: 'owner' })
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'setFrozen', args: [isFrozen] })
  await operator.sendAs(owner, pool, data)
}

/** Withdraws all tokens from the faucet. */
export const dryFaucet = defineScenario({
  name: 'dry-faucet',
  description: 'The faucet holds no tokens',
  effect: 'svc/faucet-dry for a claim',
  options: {},
  codes: ['svc/faucet-dry'],
  needsMining: true,
  async inject(context) {
    const { chainId, deployment } = context.chain
    const { client } = context.operator
    const { faucet } = deployment
    if (!faucet)
      throw Errors.invalidRequest({ field: 'chainId', value: chainId, reason: `chain ${chainId} has no faucet` })
    for (const token of await client.readContract({ address: faucet, abi: faucetAbi, functionName: 'tokens' })) {
      const read = { address: token, abi: tokenAbi, functionName: 'balanceOf', args: [faucet] } as const
      await withdrawUntilReset(context, { token, holder: faucet, amountRaw: await client.readContract(read) })
    }
  },
})

/** Returns the pools of a chain with their names: all pools, or the named pool. */
function listPools({ pools }: LocalChain, name: string | undefined): readonly (readonly [string, Address])[] {
  return Object.entries(pools).filter(([pool]) => name === undefined || pool === name)
}

/** Holds the withdrawn tokens until the reset. No private key is known for this address. */
const vault = '0x00000000000000000000000000000000000a1ea5' as const

/** Transfers tokens out of a contract; the next reset transfers the same amount back. */
async function withdrawUntilReset({ operator, onReset }: ScenarioContext, { token, holder, amountRaw }: Withdrawal) {
  if (amountRaw <= 0n) return
  onReset(async () => {
    const remainingRaw = await readBalance(vault)
    await transfer(vault, holder, remainingRaw < amountRaw ? remainingRaw : amountRaw)
  })
  await transfer(holder, vault, amountRaw)

  async function readBalance(owner: Address): Promise<bigint> {
    const read = { address: token, abi: tokenAbi, functionName: 'balanceOf', args: [owner] } as const
    return await operator.client.readContract(read)
  }
  async function transfer(from: Address, to: Address, amount: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
    await operator.sendAs(from, token, data)
  }
}

type Withdrawal = { readonly token: Address; readonly holder: Address; readonly amountRaw: bigint }
