import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, maxUint256, parseAbi, parseEther } from 'viem'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { toReaderConfig } from '../harness/toReaderConfig.ts'
import { writeContract } from '../harness/writeContract.ts'

/** The functions of the owner of a token like Circle's. */
export const circleAbi = parseAbi([
  'function initialize(string name, string symbol, address owner)',
  'function setPaused(bool isPaused)',
  'function setBlocked(address account, bool isBlocked)',
])

const factoryAbi = parseAbi(['function addPool(address pool)'])

// The names of USDC on the two networks, which are the names of its permit domains.
const names = { 84532: 'USDC', 421614: 'USD Coin' } as const

/**
 * Replaces the pools of a chain by one pool of two tokens like Circle's, EURC and USDC, with our router and a million dollars
 * on each side. Writes the deployment file, without hashes of code.
 */
export async function deployCircleMarket(chain: LocalChain, deploymentsDir: string) {
  const owner = connectOwner(chain)
  const { chainId, rpcUrl } = chain
  const usdc = await deployCircleToken(owner, names[chainId], 'USDC')
  const eurc = await deployCircleToken(owner, 'EURC')
  const oracle = await owner.deploy('testing/TestOracle', ['EUR / USD', 108_450_000n, owner.address])
  const [baseReader, quoteReader] = [
    await owner.deploy('RateReader', [toReaderConfig(eurc, oracle)]),
    await owner.deploy('RateReader', [toReaderConfig(usdc)]),
  ]
  const terms = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const sides = { base: eurc, quote: usdc, baseReader, quoteReader }
  const pool = await owner.deploy('Pool', [{ name: 'EURC/USDC', symbol: 'LP', ...sides, ...terms }])
  const factory = await owner.deploy('Factory', [owner.address])
  await writeContract(owner.client, { address: factory, abi: factoryAbi, functionName: 'addPool', args: [pool] })
  const router = await owner.deploy('Router', [factory])
  for (const token of [eurc, usdc]) {
    const call = { address: token, abi: tokenAbi } as const
    await writeContract(owner.client, { ...call, functionName: 'mint', args: [owner.address, 10n ** 13n] })
    await writeContract(owner.client, { ...call, functionName: 'approve', args: [pool, maxUint256] })
  }
  const args = [parseEther('2000000'), 0n, 0n, maxUint256, maxUint256, maxUint256] as const
  await writeContract(owner.client, { address: pool, abi: poolAbi, functionName: 'deposit', args })
  const deployment = { chainId, router, factory, pools: [pool], referenceToken: usdc, local: true }
  await writeFile(join(deploymentsDir, `${chainId}.json`), JSON.stringify(deployment))
  const toToken = (address: Address) => ({ address, abi: circleAbi }) as const
  return {
    chainId,
    rpcUrl,
    router,
    pool,
    tokens: { EURC: eurc, USDC: usdc },
    /** The name of the permit domain of USDC. */
    domainName: names[chainId],
    async setPaused(token: Address, isPaused: boolean) {
      await writeContract(owner.client, { ...toToken(token), functionName: 'setPaused', args: [isPaused] })
    },
    async setBlocked(token: Address, account: Address, isBlocked: boolean) {
      await writeContract(owner.client, { ...toToken(token), functionName: 'setBlocked', args: [account, isBlocked] })
    },
  }
}

/** A market of tokens like Circle's. */
export type CircleMarket = Awaited<ReturnType<typeof deployCircleMarket>>

/** Deploys a token like Circle's behind its proxy. Its name is the name of its permit domain. */
export async function deployCircleToken(owner: Owner, name: string, symbol = name): Promise<Address> {
  const implementation = await owner.deploy('testing/CircleToken', [])
  const args = [name, symbol, owner.address] as const
  const data = encodeFunctionData({ abi: circleAbi, functionName: 'initialize', args })
  return await owner.deploy('testing/CircleProxy', [implementation, data])
}
