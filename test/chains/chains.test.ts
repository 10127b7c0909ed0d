import { Network } from '@agio/core'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Localnet } from '@agio/localnet'
import { describe, expect, it, onTestFinished } from 'vitest'
import { breakOff, errorOf, neverAnswer } from '../harness/answers.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { perChain } from '../harness/networks.ts'
import { eventually } from '../harness/timeLimits.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

type Entry = Readonly<Record<string, unknown>>

const transports = ['REST', 'tRPC'] as const

const stack = setUp(() => startProxiedStack({ snapshotMaxAgeMs: 2000, prepare: markAsLive }))

describe.each(partOf(transports))('chains.list over %s', (transport) => {
  const list = async () => await listChains(stack, transport)

  it('a network that is not local has its block explorer', async () => {
    const { blockExplorer } = Network.get(84532)
    const explorers = (await list()).map((entry) => entry['blockExplorer'])
    expect(explorers).toEqual(perChain<unknown>({ 84532: blockExplorer }, null))
  })

  it('the block of a network in the list is its newest one, with its time', async () => {
    const chain = stack.localnet.chains[84532]
    const { client } = connectOwner(chain)
    await client.mine({ blocks: 1 })
    await waitForBlock(stack.url, chain)
    const { number, timestamp } = await client.getBlock()
    const blockTimestamp = new Date(Number(timestamp) * 1000).toISOString()
    const newest = { blockNumber: Number(number), blockTimestamp }
    await expect.poll(async () => (await list())[0], eventually).toMatchObject(newest)
  })

  it.each([
    ['refuses', breakOff],
    ['does not answer', neverAnswer],
  ])('a network whose node %s is listed without a block, and the others are whole', async (_, answer) => {
    const [before] = await list()
    onTestFinished(async () => {
      stack.proxies[84532].reset()
      await expect.poll(async () => (await list())[0]?.['blockNumber'], eventually).toBeTypeOf('number')
    })
    stack.proxies[84532].setAnswer(answer)
    const away = { ...before, blockNumber: null, blockTimestamp: null }
    const other = expect.objectContaining({ chainId: 421614, pools: 2, blockNumber: expect.any(Number) }) as unknown
    await expect.poll(list, eventually).toEqual([away, other])
  })
})

it('a network whose pools could not be read at the start is listed without tokens, and with them from then on', async () => {
  await using late = await startProxiedStack({
    prepare: (_, proxies) => {
      proxies[84532].setAnswer(errorOf('eth_call', { code: -32_603, message: 'internal error' }))
      return {}
    },
  })
  const list = async () => (await listChains(late, 'REST'))[0]
  expect(await list()).toMatchObject({ chainId: 84532, router: expect.any(String), tokens: [] })
  late.proxies[84532].reset()
  await expect.poll(async () => (await list())?.['tokens'], eventually).toHaveLength(3)
  // Reads that began before the pools could be read may still end.
  await expect.poll(() => recordRequests(late.proxies[84532], list), eventually).toEqual([])
})

async function listChains(
  { callers }: ProxiedStack,
  transport: (typeof transports)[number],
): Promise<readonly Entry[]> {
  const { status, data } = await callers[transport]('chains.list', {})
  expect(status).toBe(200)
  return data?.['chains'] as readonly Entry[]
}

/** Removes the mark of a local chain from the deployment file of the first chain. */
async function markAsLive({ deploymentsDir }: Localnet): Promise<void> {
  const file = join(deploymentsDir, '84532.json')
  const { local, ...deployment } = JSON.parse(await readFile(file, 'utf8')) as Entry
  expect(local).toBe(true)
  await writeFile(file, JSON.stringify(deployment))
}

it('a network whose node stops answering before it was asked for permits is listed without approval methods until then', async () => {
  await using silent = await startProxiedStack()
  const [list, proxy] = [async () => (await listChains(silent, 'REST'))[0], silent.proxies[84532]]
  expect(await silent.callers.REST('pools.list', {})).toMatchObject({ status: 200 })
  proxy.setAnswer(neverAnswer)
  const away = await list()
  expect(away?.['tokens']).toHaveLength(3)
  expect(JSON.stringify(away)).not.toContain('approvalMethods')
  expect(away).not.toHaveProperty('permit2')
  proxy.reset()
  const tokens = [{ approvalMethods: ['permit', 'permit2', 'approve'] }, {}, {}]
  await expect.poll(list, eventually).toMatchObject({ permit2: expect.any(String), tokens })
})
