import type { Doubt } from '@agio/chain'
import { poolAbi, readerAbi } from '@agio/chain/abi'
import { Hop, type Pool } from '@agio/core'
import {
  decodeFunctionResult,
  encodeFunctionResult,
  isAddressEqual,
  numberToHex,
  parseAbi,
  toFunctionSelector,
  type Address,
  type Hex,
} from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { deployForeignPools } from '../harness/deployForeignPools.ts'
import { deployTwinPool } from '../harness/deployTwinPool.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { writeContract } from '../harness/writeContract.ts'
import { changeResults, changeStates, decodeCalls, findData, lieAbout, type ContractCall } from './changeResults.ts'
import { openInUse } from './openInUse.ts'
import { useUpstreams } from './startUpstreams.ts'

const [three, zero] = [numberToHex(3, { size: 32 }), numberToHex(0, { size: 32 })]
const skewAbi = parseAbi(['function setSkewBps(int256 newSkewBps)'])
// The storage slot of a SkewedPool's skew, after the slots of a Pool.
const skewSlot = numberToHex(8, { size: 32 })
const bothDoubted: readonly Doubt[] = [1, 2].map((position) => ({ subject: 'state', position }))

const upstreams = useUpstreams()
let owner: Owner
let skewed: Address
let honest: Address
let family: Address

beforeAll(async () => {
  const { chain } = upstreams
  owner = connectOwner(chain)
  honest = chain.pools['tAUD/tUSD']
  skewed = await deployTwinPool(owner, chain, { name: 'tAUD/tUSD', contract: 'testing/SkewedPool' })
  await writeContract(owner.client, { address: skewed, abi: skewAbi, functionName: 'setSkewBps', args: [137n] })
  family = (await deployForeignPools(upstreams.localnet, { pool: 'testing/FamilyPool' })).pools['fEUR/fUSD']
})

/** Opens the chain over nodes with these pools, and reads them. No read is compared until `sample` is called. */
async function open(pools: readonly Address[], urls?: readonly string[]) {
  let randomNumber = 1
  const { chain, doubts, mine } = await openInUse(upstreams, urls, {
    deployment: { ...upstreams.chain.deployment, pools },
    random: () => randomNumber,
    nodeTimeoutMs: eventually.timeout,
  })
  const findPool = async (address: Address) => {
    const { pools: found } = await chain.pools.getSnapshot()
    return found.find((pool) => isAddressEqual(pool.address, address)) as Pool.Pool
  }
  const findPricing = async (address: Address) => (await findPool(address)).pricing
  return {
    chain,
    doubts,
    mine,
    findPricing,
    /** Prices an input of a pool, as previews do, and asserts that the amount is the amount of the contract. */
    async expectHonest(address: Address): Promise<void> {
      const pool = await findPool(address)
      const pair = [pool.base.token.address, pool.quote.token.address] as const
      const amountInRaw = 100n * 10n ** BigInt(pool.base.token.decimals)
      const route = [Hop.from(pool, ...pair)] as const
      const priced = await chain.conversions.priceExactIn(await chain.pools.getSnapshot(), { route, amountInRaw })
      const view = { abi: poolAbi, functionName: 'viewOriginSwap', args: [...pair, amountInRaw] } as const
      expect(priced.amountOutRaw).toBe(await owner.client.readContract({ address, ...view }))
    },
    /** Compares each read from now on. */
    sample: () => (randomNumber = 0),
    /** Mines blocks until a pool is priced in this way. */
    async mineUntil(address: Address, pricing: Pool.Pricing): Promise<void> {
      const mineAndFind = async () => {
        await mine()
        return await findPricing(address)
      }
      await expect.poll(mineAndFind, eventually).toBe(pricing)
    },
  }
}

it('a pool of ours whose views the nodes dispute is priced on chain, and locally again once they agree', async () => {
  lieAbout(upstreams, ({ data }) => isView(data, viewOfOutput), three)
  const { doubts, findPricing, expectHonest, sample, mine, mineUntil } = await open([honest])
  // A slow election continues after the first read, which then prices on chain.
  await expect.poll(async () => [await findPricing(honest), doubts], eventually).toEqual(['on-chain', bothDoubted])
  await expectHonest(honest)
  await upstreams.reset()
  await mine()
  expect(await findPricing(honest)).toBe('on-chain')
  sample()
  await mineUntil(honest, 'local')
  await expectHonest(honest)
})

it('a pool that pays more than our maths is priced on chain if the first node pretends that it does not', async () => {
  // The ladders of views are answered as if the pool had no skew.
  upstreams.answerCalls(upstreams.first, async (call, callNode) => {
    const data = findData(call, 'aggregate')
    if (!data || !isLadder(data)) return await callNode(call)
    const [request, block, code] = call.params as readonly [object, unknown, object]
    const overrides = { ...code, [skewed]: { stateDiff: { [skewSlot]: zero } } }
    return await callNode({ ...call, params: [request, block, overrides] })
  })
  const { doubts, findPricing, expectHonest, mine, mineUntil } = await open([skewed, honest])
  await mineUntil(honest, 'local')
  expect([await findPricing(skewed), doubts]).toEqual(['on-chain', bothDoubted])
  await expectHonest(skewed)
  await expectHonest(honest)
  await mine()
  expect(await findPricing(skewed)).toBe('on-chain')
})

it('a first node that lies about the views of a pool that is priced on chain disagrees with the second node', async () => {
  const { chain, doubts, findPricing, expectHonest, sample } = await open([skewed])
  expect([await findPricing(skewed), doubts]).toEqual(['on-chain', []])
  sample()
  await expectHonest(skewed)
  lieAbout(upstreams, ({ data }) => isView(data, viewOfInput), three)
  await expect(expectHonest(skewed)).rejects.toThrow('expected 3n')
  await expect.poll(() => doubts, eventually).toEqual(bothDoubted)
  expect(chain.nodes.isSuspect()).toBe(true)
})

it('the states of other pools than the service asked for are a fault of the node, and the next node is asked', async () => {
  changeResults(upstreams, 'probedStates', (_, result) => {
    const [proof, timestamp, states] = decodeStates(result)
    const mixed = states.map((_state, index) => states[index === 0 ? 0 : index - 1] as (typeof states)[number])
    return encodeStates([proof, timestamp, mixed])
  })
  const { chain, findPricing, expectHonest, mineUntil } = await open([skewed, honest])
  const { pools, unreadablePools } = await chain.pools.getSnapshot()
  expect([pools.map(({ address }) => address), unreadablePools]).toEqual([[skewed, honest], []])
  await mineUntil(honest, 'local')
  expect(await findPricing(skewed)).toBe('on-chain')
  await expectHonest(skewed)
  await expectHonest(honest)
})

it('a first node that lies about a probe of a computed curve does not disprove the curve', async () => {
  const { chain, doubts, findPricing, expectHonest, sample, mine, mineUntil } = await open([family])
  await mineUntil(family, 'curve')
  expect(doubts).toEqual([])
  lieAboutProbes()
  await mine()
  await expect.poll(() => doubts, eventually).toEqual(bothDoubted)
  expect([await findPricing(family), chain.pools.listDisproven()]).toEqual(['on-chain', []])
  await expectHonest(family)
  await upstreams.reset()
  sample()
  await mineUntil(family, 'curve')
})

it('two nodes that confirm a computed curve keep it while the first node lies', async () => {
  const urls = [upstreams.first.url, upstreams.second.url, upstreams.chain.rpcUrl]
  const { chain, doubts, findPricing, mine, mineUntil } = await open([family], urls)
  await mineUntil(family, 'curve')
  lieAboutProbes()
  // If the first node is slow, the read goes to the second node too, and its honest answer may be the first one.
  for (let lies = 0; lies < 3;) {
    await mine()
    if ((await findPricing(family)) === 'on-chain') lies += 1
  }
  // A slow vote continues after the reads.
  await expect.poll(() => doubts, eventually).toEqual([bothDoubted[0]])
  await upstreams.reset()
  await mine()
  expect([await findPricing(family), chain.pools.listDisproven()]).toEqual(['curve', []])
})

describe('a first node that grants too little gas for the views of a pool', () => {
  const isOutput = ({ data }: ContractCall) => isView(data, viewOfOutput)

  it.each([
    ['the call fails', failLadders],
    ['a view fails', () => lieAbout(upstreams, isOutput, 'fails')],
  ])('it has no vote, and no node is doubted: %s', async (_, lackGas) => {
    lackGas()
    for (const others of [[], [upstreams.chain.rpcUrl]]) {
      const { doubts, expectHonest, mineUntil } = await open(
        [honest],
        [upstreams.first.url, upstreams.second.url, ...others],
      )
      await mineUntil(honest, 'local')
      expect(doubts).toEqual([])
      await expectHonest(honest)
    }
  })

  it('a view that fails at all nodes prices the pool on chain', async () => {
    lieAbout(upstreams, isOutput, 'fails')
    const { doubts, findPricing } = await open([honest], [upstreams.first.url, upstreams.first.url])
    expect([await findPricing(honest), doubts]).toEqual(['on-chain', []])
  })
})

const countLadders = ({ requests }: Proxy, after: number) =>
  requests
    .slice(after)
    .flatMap(({ body }) => JSON.parse(body) as NodeCall | NodeCall[])
    .filter((call) => isLadder(findData(call, 'aggregate') ?? '0x')).length

it('the views of a pool are read once from each node, and not again at later blocks', async () => {
  const { first, second } = upstreams
  const [sent, others] = [first.requests.length, second.requests.length]
  const { findPricing, sample, mine } = await open([honest])
  sample()
  for (let block = 0; block < 3; block += 1) await mine()
  expect(await findPricing(honest)).toBe('local')
  expect([countLadders(first, sent), countLadders(second, others)]).toEqual([1, 1])
})

type NodeCall = { readonly method: string; readonly params?: readonly unknown[] }

function isView(data: string, signature: string): boolean {
  return data.startsWith(toFunctionSelector(signature))
}

/** Returns whether a call reads the views by which the pricing of a pool is decided. */
function isLadder(data: Hex): boolean {
  return data !== '0x' && decodeCalls(data).filter(({ data: call }) => isView(call, viewOfInput)).length > 4
}

const viewOfInput = 'viewOriginSwap(address,address,uint256)'
const viewOfOutput = 'viewTargetSwap(address,address,uint256)'

/** Makes the first node refuse the calls that read the views of a pool, for a lack of gas. */
function failLadders(): void {
  upstreams.answerCalls(upstreams.first, async (call, callNode) => {
    const error = { code: -32_000, message: 'out of gas' }
    return isLadder(findData(call, 'aggregate') ?? '0x') ? { id: call.id, error } : await callNode(call)
  })
}

/** Makes the first node return three units for the probe of each computed curve. */
function lieAboutProbes(): void {
  changeStates(upstreams, ({ state, curve }) => ({ state, curve: { ...curve, isPaid: true, data: three } }))
}

type States = ReturnType<typeof decodeStates>

function decodeStates(data: Hex) {
  return decodeFunctionResult({ abi: readerAbi, functionName: 'probedStates', data })
}

function encodeStates(result: States): Hex {
  return encodeFunctionResult({ abi: readerAbi, functionName: 'probedStates', result })
}
