import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectNode } from '../../test/connectNode.ts'
import { startLocalnet, type Localnet } from './startLocalnet.ts'

let dir: string
let upstream: Localnet

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'agio-localnet-test-'))
  upstream = await startLocalnet({ rpcPort: 0, deploymentsDir: join(dir, 'upstream') })
})

afterAll(async () => {
  await upstream?.stop()
  await rm(dir, { recursive: true })
})

test('a fork of a chain without a known deployment gets new pools, in the factory of the first account', async () => {
  const forks = { 84532: upstream.chains[84532].rpcUrl }
  await using localnet = await startLocalnet({ ...localDirs('fresh', 'none'), rpcPort: 0, forks })
  const [forked, original] = [localnet.chains[84532], upstream.chains[84532]]
  for (const pool of forked.deployment.pools) expect(original.deployment.pools).not.toContain(pool)
  expect(forked.deployment.router).toBe(original.deployment.router)
  const client = connectNode(forked)
  expect(await client.getChainId()).toBe(84532)
  expect(await client.getCode({ address: forked.deployment.router })).toBeDefined()
  expect(await client.getCode({ address: original.deployment.router })).toBeDefined()
  // The block number of the forked chain.
  expect(await client.getCode({ address: '0x000000000022D473030F116dDEE9F6B43aC78BA3' })).toBeDefined()
  expect(localnet.chains[421614].deployment).toEqual(upstream.chains[421614].deployment)
})

describe('error: startLocalnet rejects a fork', () => {
  test.each([
    [
      'of another chain',
      () => upstream.chains[421614].rpcUrl,
      /^Cannot fork chain 84532: .* is a node of chain 421614$/,
    ],
    [
      'of a development node with its default chain, and says how to start it',
      async () => await startDefaultNode(),
      /^Cannot fork chain 84532: .* is a node of chain 31337\. Start it with the id: anvil --chain-id 84532$/,
    ],
    [
      'when the node does not respond, without the path of the URL',
      () => 'http://127.0.0.1:1/key',
      /^Cannot fork chain 84532: 127.0.0.1:1 does not respond$/,
    ],
  ])('error: startLocalnet rejects a fork %s', async (_, url, message) => {
    const options = { ...localDirs('refused', 'none'), rpcPort: 0, forks: { 84532: await url() } }
    await expect(startLocalnet(options)).rejects.toThrow(message)
  })
})

test('the deployment file of a fork has the code hash that each listed feed has on the fork', async () => {
  const { deployment, oracles, rpcUrl } = upstream.chains[84532]
  const outdated = { ...deployment.codeHashes, [oracles.tAUD]: zeroHash }
  await mkdir(join(dir, 'hashed'))
  await writeFile(join(dir, 'hashed', '84532.json'), JSON.stringify({ ...deployment, codeHashes: outdated }))
  const options = { ...localDirs('rehashed', 'hashed'), rpcPort: 0, forks: { 84532: rpcUrl } }
  await using localnet = await startLocalnet(options)
  const code = await connectNode(localnet.chains[84532]).getCode({ address: oracles.tAUD })
  const codeHashes = { ...deployment.codeHashes, [oracles.tAUD]: keccak256(code ?? '0x') }
  expect(localnet.chains[84532].deployment).toEqual({ ...deployment, codeHashes })
})

test('error: startLocalnet names in one line the pools of a deployment of which it can read none', async () => {
  const deployment = { ...upstream.chains[84532].deployment, pools: ['0x00000000000000000000000000000000000a910a'] }
  await mkdir(join(dir, 'unreadable'))
  await writeFile(join(dir, 'unreadable', '84532.json'), JSON.stringify(deployment))
  const forks = { 84532: upstream.chains[84532].rpcUrl }
  const started = startLocalnet({ ...localDirs('refused', 'unreadable'), rpcPort: 0, forks })
  await expect(started).rejects.toThrow(
    /^Cannot use the deployment of chain 84532 on a fork: [^\n]*0x00000000000000000000000000000000000A910A[^\n]*$/i,
  )
})

/** Starts a node of Hardhat's default chain, which is also that of anvil, until the test ends. */
async function startDefaultNode(): Promise<string> {
  const hre = await createHardhatRuntimeEnvironment({})
  const server = await hre.network.createServer('default', '127.0.0.1')
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${(await server.listen()).port}`
}

function localDirs(own: string, known: string) {
  return { deploymentsDir: join(dir, own), forkDeploymentsDir: join(dir, known) }
}
