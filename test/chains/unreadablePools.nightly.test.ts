import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readerAbi, readerCode } from '@agio/chain/abi'
import type { Address, Network } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { encodeFunctionData, getAddress, numberToHex, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { perChain } from '../harness/networks.ts'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { deployIsolatedPool } from '../codes/deployIsolatedPool.ts'
import { eventually } from '../harness/timeLimits.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess, type ServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { startTestServer } from '../harness/startTestServer.ts'

// PUSH0 PUSH0 REVERT
const reverting = '0x5f5ffd'
const withoutCode = getAddress('0x00000000000000000000000000000000000000b0')
const faults = { revert: 0, burnAllGas: 1, shortAnswer: 2, allOnes: 3 } as const

const starting = new AsyncDisposableStack()
let localnet: Localnet
let server: ServerProcess
let unreadable: readonly Address[]

beforeAll(async () => {
  localnet = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  unreadable = await deployUnreadable(localnet.chains[84532])
  await listPools(84532, ([first, ...others]) => [first, first, ...unreadable, ...others] as Address[])
  await listPools(421614, () => [withoutCode, localnet.chains[421614].tokens.tAUD])
  server = starting.use(await startServerProcess(settingsFor(localnet, { logLevel: 'info' }), 'Node'))
})

afterAll(() => starting.disposeAsync())

describe.each([
  ['REST', createRestCaller],
  ['tRPC', createTrpcCaller],
])('a deployment whose file names addresses that are not readable pools (%s)', (_, createCaller) => {
  const call: ReturnType<typeof createCaller> = (...args) => createCaller({ url: server.url, apiKey })(...args)

  it('the other pools are listed once each and answer every operation while some pools are unreadable', async () => {
    const { pools } = localnet.chains[84532]
    expect(await call('pools.list', { chainId: 84532 })).toMatchObject({
      data: { pools: Object.values(pools).map((address) => ({ address })), pagination: { total: 2 } },
    })
    for (const [operation, input] of Object.entries(validInputs(localnet.chains[84532]))) {
      expect(await call(operation, input), operation).toMatchObject({ status: 200 })
    }
  })

  it('error: svc/upstream-error names the unreadable pool that a request names', async () => {
    for (const poolAddress of unreadable) {
      const { status, failure } = await call('pools.get', { chainId: 84532, poolAddress })
      expect({ status, failure }).toMatchObject({ status: 502, failure: { code: 'svc/upstream-error' } })
      expect(failure?.['error']).toContain(poolAddress)
    }
  })

  it('error: svc/upstream-error names every pool of a chain of which no pool is readable', async () => {
    const chain = localnet.chains[421614]
    for (const operation of ['pools.list', 'convert.preview', 'oracle.prices'] as const) {
      const { status, failure } = await call(operation, validInputs(chain)[operation])
      expect({ status, failure }).toMatchObject({ status: 502, failure: { code: 'svc/upstream-error' } })
      expect(failure?.['error']).toContain(withoutCode)
      expect(failure?.['error']).toContain(chain.tokens.tAUD)
    }
  })
})

it('health is degraded by unreadable pools, and names them', async () => {
  const all = ['previews', 'transactions']
  const none = { available: ['transactions'], reason: 'svc/upstream-error' }
  const noneReadable = { ...none, unreadablePools: [withoutCode, localnet.chains[421614].tokens.tAUD] }
  const chains = perChain<object>(
    {
      84532: { chainId: 84532, status: 'degraded', available: all, unreadablePools: unreadable },
      421614: { chainId: 421614, status: 'degraded', ...noneReadable },
    },
    { status: 'ok' },
  )
  await expect.poll(() => readHealth(server.url), eventually).toMatchObject({ status: 'degraded', chains })
})

it('the log warns once of each unreadable pool and of an address that is listed twice', async () => {
  for (const address of unreadable) expect(linesAbout(address), address).toHaveLength(1)
  const [first] = Object.values(localnet.chains[84532].pools)
  expect(linesAbout(first ?? '')).toHaveLength(1)
})

it('a pool that becomes readable is served without a restart, and health no longer names it', async () => {
  const { client } = connectOwner(localnet.chains[84532])
  const call = createRestCaller({ url: server.url, apiKey })
  const address = localnet.chains[84532].pools['tAUD/tUSD']
  await client.setCode({ address: withoutCode, bytecode: (await client.getCode({ address })) as Hex })
  const total = async () => {
    await client.mine({ blocks: 1 })
    return (await call('pools.list', { chainId: 84532 })).data?.['pagination']
  }
  await expect.poll(total, eventually).toMatchObject({ total: 3 })
  const rest = unreadable.filter((pool) => pool !== withoutCode)
  const chains = perChain<object>({ 84532: { unreadablePools: rest } }, {})
  await expect.poll(() => readHealth(server.url), eventually).toMatchObject({ chains })
  expect(await call('pools.get', { chainId: 84532, poolAddress: withoutCode })).toMatchObject({ status: 200 })
})

it('pools are served beside so many contracts that burn all gas that reading all of them exceeds the gas of a call', async () => {
  const { client, deploy } = connectOwner(localnet.chains[421614])
  const burner = (await client.getCode({ address: await deploy('testing/BrokenContract', [faults.burnAllGas]) })) as Hex
  const burners = Array.from({ length: 250 }, (_, index) => getAddress(numberToHex(0xb000 + index, { size: 20 })))
  for (const address of burners) await client.setCode({ address, bytecode: burner })
  await client.mine({ blocks: 1 })
  const read = encodeFunctionData({ abi: readerAbi, functionName: 'poolStates', args: [burners] })
  const stateOverride = [{ address: withoutCode, code: readerCode as Hex }]
  await expect(client.call({ to: withoutCode, data: read, stateOverride })).rejects.toThrow(/out of gas/i)
  const { pools } = localnet.chains[421614].deployment
  await listPools(421614, () => [...burners, ...pools])
  const { url, stop } = await startTestServer(localnet)
  onTestFinished(() => stop())
  const call = createRestCaller({ url, apiKey })
  const total = async () => (await call('pools.list', { chainId: 421614 })).data?.['pagination']
  await expect.poll(total, eventually).toMatchObject({ total: pools.length })
  const chains = perChain<object>({ 421614: { unreadablePools: burners } }, {})
  await expect.poll(() => readHealth(url), eventually).toMatchObject({ chains })
})

/** Deploys contracts that are not readable pools, each for another reason. */
async function deployUnreadable(chain: LocalChain): Promise<readonly Address[]> {
  const owner = connectOwner(chain)
  const broken: Address[] = []
  for (const fault of Object.values(faults)) broken.push(await owner.deploy('testing/BrokenContract', [fault]))
  const isolated = await deployIsolatedPool(chain, localnet.deploymentsDir)
  await owner.client.setCode({ address: isolated.base, bytecode: reverting })
  return [withoutCode, chain.tokens.tUSD, chain.oracles.tAUD, ...broken, isolated.pool]
}

async function listPools(
  chainId: Network.ChainId,
  change: (pools: readonly Address[]) => readonly Address[],
): Promise<void> {
  const path = join(localnet.deploymentsDir, `${chainId}.json`)
  const deployment = JSON.parse(await readFile(path, 'utf8')) as LocalChain['deployment']
  await writeFile(path, JSON.stringify({ ...deployment, pools: change(localnet.chains[chainId].deployment.pools) }))
}

/** The warnings that the service has logged about an address of the first chain. */
function linesAbout(address: string): readonly string[] {
  const parts = ['"level":40', '"chainId":84532', address]
  return server.lines.filter((line) => parts.every((part) => line.includes(part)))
}
