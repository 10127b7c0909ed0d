import { Network } from '@agio/core'
import { poolAbi } from '@agio/chain/abi'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { connectNode } from '../../test/connectNode.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import { startLocalnet, type Localnet } from '../localnet/startLocalnet.ts'
import { deployToNetwork } from './deployToNetwork.ts'
import { findDeployment } from './deploymentFile.ts'

let deploymentsDir: string
let localnet: Localnet

beforeAll(async () => {
  deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-localnet-test-'))
  localnet = await startLocalnet({ rpcPort: 0, deploymentsDir: join(deploymentsDir, 'local'), blockIntervalMs: 20 })
})

afterEach(() => {
  vi.unstubAllEnvs()
})

afterAll(async () => {
  await localnet?.stop()
  await rm(deploymentsDir, { recursive: true })
})

test('deployToNetwork waits for the blocks of a network, and writes the deployment file', async () => {
  const client = connectNode(localnet.chains[84532])
  await client.setAutomine(false)
  vi.stubEnv('RPC_URL_84532', `${localnet.chains[84532].rpcUrl}, http://127.0.0.1:1`)
  vi.stubEnv('DEPLOYER_KEY', localAccounts[1].privateKey)
  const options = { deploymentsDir, dollarsPerSide: 5000, onProgress: () => {} }
  const path = await deployToNetwork('baseSepolia', options)
  expect(path).toBe(join(deploymentsDir, '84532.json'))
  const deployment = await findDeployment(deploymentsDir, 84532)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(deployment)
  expect(await client.getCode({ address: deployment?.reader ?? zeroAddress })).toMatch(/^0x6/)
  for (const address of deployment?.pools ?? []) {
    const pool = { address, abi: poolAbi } as const
    expect(await client.readContract({ ...pool, functionName: 'owner' })).toBe(localAccounts[1].address)
    const [total] = await client.readContract({ ...pool, functionName: 'liquidity' })
    expect(Number(total) / 1e18).toBeCloseTo(10_000, 5)
  }
})

test('error: deployToNetwork names every missing environment variable', async () => {
  vi.stubEnv('RPC_URL_421614', '')
  vi.stubEnv('DEPLOYER_KEY', '')
  await expect(deployToNetwork('arbitrumSepolia', { deploymentsDir, onProgress: () => {} })).rejects.toThrow(
    "Cannot deploy to 'arbitrumSepolia': set RPC_URL_421614 and DEPLOYER_KEY in the environment",
  )
})

test.each(['mainnet', 'local84532'])('error: deployToNetwork rejects the network %s', async (network) => {
  await expect(deployToNetwork(network, { deploymentsDir, onProgress: () => {} })).rejects.toThrow(
    `Cannot deploy to '${network}': the test networks are ${Network.all.map(({ slug }) => slug).join(', ')}`,
  )
})
