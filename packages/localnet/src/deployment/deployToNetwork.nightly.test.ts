import { parseDeployment, type Deployment } from '@agio/chain'
import { poolAbi, routerAbi, tokenAbi } from '@agio/chain/abi'
import type { Address, Network } from '@agio/core'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { concat, keccak256, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectNode, waitForSuccess, writeContract, type NodeClient } from '../../test/connectNode.ts'
import { localAccounts, type LocalAccount } from '../accounts/localAccounts.ts'
import { startLocalnet, type Localnet } from '../localnet/startLocalnet.ts'
import { deploymentProxy, toCreate2Address } from './create2.ts'
import { planRouter } from './deployRouter.ts'
import { deployToNetwork } from './deployToNetwork.ts'
import { findDeployment } from './deploymentFile.ts'

let deploymentsDir: string
let localnet: Localnet
let deployed: Awaited<ReturnType<typeof deploy>>

beforeAll(async () => {
  deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-localnet-test-'))
  localnet = await startLocalnet({ rpcPort: 0, deploymentsDir: join(deploymentsDir, 'local'), blockIntervalMs: 20 })
  await connectNode(localnet.chains[84532]).setAutomine(false)
  deployed = await deploy(84532, localAccounts[1])
})

afterAll(async () => {
  await localnet?.stop()
  await rm(deploymentsDir, { recursive: true })
})

test('deployToNetwork waits for the blocks of a network, and writes the deployment file', async () => {
  const client = connectNode(localnet.chains[84532])
  const { path, pending } = deployed
  expect(pending).toEqual([])
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

test('deployToNetwork keeps the factory and the router of its deployer, and has new pools each time', async () => {
  const first = await deployTo(421614, localAccounts[2])
  const again = await deployTo(421614, localAccounts[2])
  const plan = planRouter(localAccounts[2].address)
  expect(first.factory).toBe(toCreate2Address(plan.factory))
  expect(first.router).toBe(toCreate2Address(plan.router))
  expect([again.factory, again.router]).toEqual([first.factory, first.router])
  for (const pool of first.pools) expect(again.pools).not.toContain(pool)
  const client = connectNode(localnet.chains[421614])
  for (const { pools, referenceToken, router } of [first, again]) {
    for (const pool of pools) {
      const numeraire = { address: pool, abi: poolAbi, functionName: 'numeraires', args: [0n] } as const
      const token = await client.readContract(numeraire)
      const view = { address: router, abi: routerAbi, functionName: 'viewOriginSwap' } as const
      const output = await client.readContract({ ...view, args: [referenceToken, token, referenceToken, 1_000_000n] })
      expect(output).toBeGreaterThan(0n)
    }
  }
})

test('deployToNetwork completes a deployment that has failed after its factory and router', async () => {
  const deployer = localAccounts[3]
  const client = connectNode(localnet.chains[84532])
  const plan = planRouter(deployer.address)
  for (const { salt, code } of [plan.factory, plan.router]) {
    const transaction = { account: deployer.address, to: deploymentProxy, data: concat([salt, code]) } as const
    await waitForSuccess(client, await client.sendTransaction({ ...transaction, chain: null }))
  }
  const deployment = await deployTo(84532, deployer)
  expect(deployment.router).toBe(toCreate2Address(plan.router))
  expect(deployment.pools).toHaveLength(2)
})

test('the deployment file has the code hash of each contract whose code the service relies on, and of no other', async () => {
  const { codeHashes = {}, ...deployment } = deployed.deployment
  const client = connectNode(localnet.chains[84532])
  const readers = (await Promise.all(deployment.pools.map((pool) => listRateReaders(client, pool)))).flat()
  const { router, factory = zeroAddress, faucet = zeroAddress, reader = zeroAddress, pools } = deployment
  const expected = new Set([router, factory, faucet, reader, ...pools, ...readers])
  expect(Object.keys(codeHashes).sort()).toEqual([...expected].sort())
  for (const address of expected) {
    expect(codeHashes[address]).toBe(keccak256((await client.getCode({ address })) ?? '0x'))
  }
})

test('the rate readers of a deployment have the optional feeds that it names, and none by default', async () => {
  const client = connectNode(localnet.chains[84532])
  const readFeeds = async (pool: Address) => {
    const [base = zeroAddress, quote = zeroAddress] = await listRateReaders(client, pool)
    const abi = parseAbi([
      'function sequencerFeed() view returns (address)',
      'function referenceFeed() view returns (address)',
    ])
    return {
      sequencerFeed: await client.readContract({ address: base, abi, functionName: 'sequencerFeed' }),
      referenceFeed: await client.readContract({ address: quote, abi, functionName: 'referenceFeed' }),
    }
  }
  const [localPool = zeroAddress] = Object.values(localnet.chains[84532].pools)
  const feeds = await readFeeds(localPool)
  expect(Object.values(feeds)).not.toContain(zeroAddress)
  const [pool = zeroAddress] = (await deployTo(84532, localAccounts[8], feeds)).pools
  expect(await readFeeds(pool)).toEqual(feeds)
  const [plainPool = zeroAddress] = deployed.deployment.pools
  expect(await readFeeds(plainPool)).toEqual({ sequencerFeed: zeroAddress, referenceFeed: zeroAddress })
})

test('deployToNetwork hands over every contract that has an owner, and names those that the new owner must accept', async () => {
  const owner = localAccounts[6].address
  const guardian = localAccounts[7].address
  const { deployment, pending } = await deploy(421614, localAccounts[5], { owner, guardian })
  const names = ['factory', 'faucet', 'pool tAUD/tUSD', 'pool tEUR/tUSD']
  const assets = ['token tUSD', 'token tAUD', 'oracle of tAUD', 'token tEUR', 'oracle of tEUR']
  expect(pending.map(({ name }) => name)).toEqual([...names, ...assets])
  const { factory = zeroAddress, pools, referenceToken, feeds } = deployment
  const client = connectNode(localnet.chains[421614])
  const abi = parseAbi(['function owner() view returns (address)', 'function acceptOwnership()'])
  for (const address of pools) {
    expect(await client.readContract({ address, abi: poolAbi, functionName: 'guardian' })).toBe(guardian)
  }
  for (const { address } of pending) {
    expect(await client.readContract({ address, abi, functionName: 'owner' })).toBe(localAccounts[5].address)
    await writeContract(client, { address, account: owner, abi, functionName: 'acceptOwnership' })
  }
  for (const address of [factory, ...pools, referenceToken, ...(Object.keys(feeds ?? {}) as Address[])]) {
    expect(await client.readContract({ address, abi, functionName: 'owner' })).toBe(owner)
  }
  const nonce = await client.getTransactionCount({ address: localAccounts[5].address })
  await expect(deploy(421614, localAccounts[5])).rejects.toThrow(
    `Cannot deploy: factory ${factory} belongs to ${owner}, and only its owner can add pools. Use another DEPLOYER_KEY`,
  )
  expect(await client.getTransactionCount({ address: localAccounts[5].address })).toBe(nonce)
})

test('deployToNetwork makes pools of existing tokens from the balance of the deployer, and sends nothing if it is too low', async () => {
  const deployer = localAccounts[9]
  const { tokens, oracles } = localnet.chains[84532]
  const client = connectNode(localnet.chains[84532])
  const existing = {
    referenceToken: tokens.tUSD,
    tokens: [
      { address: tokens.tAUD, feed: oracles.tAUD, deposit: '20' },
      { address: tokens.tEUR, price: '1.0845', deposit: '10' },
    ],
  }
  const missing = '0.000000 tAUD of 20.000000 tAUD, 0.000000 tEUR of 10.000000 tEUR, 0.000000 tUSD of 23.869002 tUSD'
  const nonce = await client.getTransactionCount({ address: deployer.address })
  await expect(deploy(84532, deployer, { existing })).rejects.toThrow(`holds only ${missing}`)
  expect(await client.getTransactionCount({ address: deployer.address })).toBe(nonce)
  for (const address of [tokens.tAUD, tokens.tEUR, tokens.tUSD]) {
    const mint = { abi: tokenAbi, functionName: 'mint', args: [deployer.address, 100_000_000n] } as const
    await writeContract(client, { address, account: localAccounts[0].address, ...mint })
  }
  const deployment = await deployTo(84532, deployer, { existing })
  expect(deployment).toMatchObject({ referenceToken: tokens.tUSD, pools: { length: 2 } })
  expect(deployment.faucet).toBeUndefined()
  const balanceOf = async (address: Address) => {
    const read = { address, abi: tokenAbi, functionName: 'balanceOf', args: [deployer.address] } as const
    return await client.readContract(read)
  }
  expect(await balanceOf(tokens.tAUD)).toBe(80_000_000n)
  expect(await balanceOf(tokens.tEUR)).toBe(90_000_000n)
  expect(await balanceOf(tokens.tUSD)).toBeGreaterThanOrEqual(100_000_000n - 23_869_002n)
  await expect(deploy(84532, deployer, { existing })).rejects.toThrow('already has pool')
})

test('error: deployToNetwork sends nothing to a network without the deployment proxy', async () => {
  const client = connectNode(localnet.chains[84532])
  const code = await client.getCode({ address: deploymentProxy })
  await client.setCode({ address: deploymentProxy, bytecode: '0x' })
  const nonce = await client.getTransactionCount({ address: localAccounts[7].address })
  await expect(deploy(84532, localAccounts[7])).rejects.toThrow(
    `Cannot deploy: the network has no deployment proxy at ${deploymentProxy}`,
  )
  expect(await client.getTransactionCount({ address: localAccounts[7].address })).toBe(nonce)
  await client.setCode({ address: deploymentProxy, bytecode: code ?? '0x' })
})

test('error: deployToNetwork sends nothing to a node of another chain', async () => {
  const { rpcUrl } = localnet.chains[421614]
  await expect(deploy(84532, localAccounts[7], { rpcUrl })).rejects.toThrow(
    'Cannot deploy to chain 84532: the node serves chain 421614',
  )
})

/** Lists the readers of the rates of both tokens of a pool. */
async function listRateReaders(client: NodeClient, address: Address): Promise<readonly Address[]> {
  const pool = { address, abi: poolAbi } as const
  const readers = [0n, 1n].map(async (index) => {
    const token = await client.readContract({ ...pool, functionName: 'numeraires', args: [index] })
    return await client.readContract({ ...pool, functionName: 'assimilator', args: [token] })
  })
  return await Promise.all(readers)
}

async function deployTo(...args: Parameters<typeof deploy>): Promise<Deployment> {
  return (await deploy(...args)).deployment
}

async function deploy(
  chainId: Network.ChainId,
  { privateKey: deployerKey }: LocalAccount,
  options?: Partial<deployToNetwork.Options>,
) {
  const { rpcUrl } = localnet.chains[chainId]
  const defaults = { chainId, rpcUrl, deployerKey, deploymentsDir, dollarsPerSide: 5000, onProgress: () => {} }
  const done = await deployToNetwork({ ...defaults, ...options })
  return { ...done, deployment: parseDeployment(JSON.parse(await readFile(done.path, 'utf8')), done.path) }
}
