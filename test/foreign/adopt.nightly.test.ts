import { listForeign, parseDeployment, type Deployment } from '@agio/chain'
import type { Address } from '@agio/core'
import { adoptContracts } from '@agio/localnet/commands'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAbi, zeroAddress } from 'viem'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import type { ForeignMarket } from '../harness/deployForeignPools.ts'
import { startAgio } from '../harness/startAgio.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { writeContract } from '../harness/writeContract.ts'
import { readForeignView, toRequest } from './conversions.ts'

const factoryAbi = parseAbi([
  'function newCurve(address base, address quote, address curve)',
  'function removePool(address pool)',
])
const familyAbi = parseAbi(['function setMarkup(uint256 markup)'])
const oracleAbi = parseAbi(['function setRound(int256 answer, uint256 updatedAt)'])

it('our own deployment is adopted from its events, read in pieces that the provider allows, without a removed pool', async () => {
  await using agio = await startAgio()
  const { rpcUrl, deployment, pools, tokens } = agio.chains[84532]
  const { factory = zeroAddress, router, referenceToken } = deployment
  await using proxy = await startProxy(rpcUrl)
  limitLogs(proxy, 3)
  const first = await adopt(proxy.url, { factory, router, fromBlock: '0' })
  expect(first.deployment).toEqual({ chainId: 84532, router, factory, pools: deployment.pools, referenceToken })
  expect(listForeign(first.deployment)).toEqual([router, ...deployment.pools])
  expect(first.text).not.toContain('Warning')
  expect(first.text).toContain(`tAUD   ${tokens.tAUD}  6 decimals`)
  const removed = pools['tEUR/tUSD']
  const owner = connectOwner(agio.chains[84532])
  await writeContract(owner.client, { address: factory, abi: factoryAbi, functionName: 'removePool', args: [removed] })
  const second = await adopt(proxy.url, { factory, router, fromBlock: '0', pool: [router] })
  expect(second.deployment.pools).toEqual([pools['tAUD/tUSD']])
  expect(second.warnings).toEqual([
    expect.stringMatching(`^Pool ${router} is left out, because it cannot be read: `),
    `Pool ${removed} is left out: the factory has no pool for its tokens`,
  ])
})

it('a deployment of the family is adopted with a warning for each difference, and the service previews over it', async () => {
  let adopted: Adopted | undefined
  const configure = async ({ chain, ...market }: ForeignMarket, deploymentsDir: string) => {
    const owner = connectOwner(chain)
    const { router: ownRouter } = market.deployment
    const factory = await deployFamilyFactory(owner, market)
    const router = await owner.deploy('testing/FamilyRouter', [factory])
    await rm(join(deploymentsDir, '84532.json'))
    await expect(adopt(chain.rpcUrl, { factory: ownRouter, router, fromBlock: '0' })).rejects.toThrow(
      `factory ${ownRouter} has registered no pool`,
    )
    const { fEUR } = market.oracles
    const setRound = async (age: bigint) => {
      const { timestamp } = await owner.client.getBlock()
      const args = [108_450_000n, timestamp - age] as const
      await writeContract(owner.client, { address: fEUR, abi: oracleAbi, functionName: 'setRound', args })
    }
    await setRound(7200n)
    const [pool, unlike] = [market.pools['fEUR/fUSD'], market.pools['fSGD/fUSD']]
    const setMarkup = (markup: bigint) =>
      writeContract(owner.client, { address: unlike, abi: familyAbi, functionName: 'setMarkup', args: [markup] })
    await setMarkup(1n)
    const stale = await adopt(chain.rpcUrl, { factory, router: ownRouter, pool: [pool, unlike] })
    expect(stale.warnings).toEqual([
      expect.stringMatching(`^Router ${ownRouter} uses another factory: 0x`),
      expect.stringMatching(/fEUR.* It is 2\.0 hours old: if that is its heartbeat, set maxAgeSeconds of this feed$/),
      `Pool ${pool} is not compared with its curve, because of its price`,
      `Pool ${unlike} is priced by its own view: each preview costs a call`,
    ])
    await setRound(0n)
    await setMarkup(0n)
    adopted = await adopt(chain.rpcUrl, { factory, router, fromBlock: '0' }, deploymentsDir)
  }
  await using stack = await startForeignStack(configure, { pool: 'testing/FamilyPool' })
  const { pools, tokens } = stack.market
  const { router } = adopted?.deployment ?? {}
  expect(adopted?.deployment).toMatchObject({ pools: Object.values(pools), referenceToken: tokens.fUSD })
  expect(adopted?.warnings).toEqual([
    `Router ${router} converts neither for exact outputs nor for another recipient`,
    `Router ${router} takes no permits: each conversion needs an allowance`,
  ])
  const conversion = { from: 'fEUR', to: 'fAUD', amountIn: '100' } as const
  const { data } = await stack.callers.REST('convert.preview', toRequest(stack, conversion))
  const amountOut = await readForeignView(stack, conversion, BigInt(Number(data?.['blockNumber'])))
  expect(data).toMatchObject({ amountOut })
})

type Adopted = {
  readonly deployment: Deployment
  readonly text: string
  readonly warnings: readonly string[]
}

type Options = Omit<Parameters<typeof adoptContracts>[0], 'network'>

/** Adopts a deployment by the command, into a new folder by default. */
async function adopt(rpcUrl: string, options: Options, deploymentsDir?: string): Promise<Adopted> {
  const created = await mkdtemp(join(tmpdir(), 'agio-adopt-'))
  onTestFinished(() => rm(created, { recursive: true }))
  vi.spyOn(console, 'log').mockReturnValue()
  const dir = deploymentsDir ?? created
  const environment = { RPC_URL_84532: rpcUrl, DEPLOYMENTS_DIR: dir }
  const text = await adoptContracts({ network: 'baseSepolia', ...options }, environment)
  const file = join(dir, '84532.json')
  return {
    text,
    deployment: parseDeployment(JSON.parse(await readFile(file, 'utf8')), file),
    warnings: [...text.matchAll(/^Warning: (.+)$/gm)].map(([, warning = '']) => warning),
  }
}

/** Makes the provider refuse the events of more than some blocks. */
function limitLogs(proxy: Proxy, maxBlocks: number): void {
  proxy.setAnswer(async ({ calls }, response, callNode) => {
    const [call] = calls
    const [filter] = (call?.params ?? []) as [{ readonly fromBlock: string; readonly toBlock: string }?]
    const isRefused = call?.method === 'eth_getLogs' && Number(filter?.toBlock) - Number(filter?.fromBlock) >= maxBlocks
    const error = { code: -32_600, message: `You can make eth_getLogs requests with up to a ${maxBlocks} block range` }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(isRefused ? JSON.stringify({ jsonrpc: '2.0', id: call.id, error }) : await callNode())
  })
}

/** Deploys a factory of the family with the pools of a market. */
async function deployFamilyFactory(
  owner: Owner,
  { pools, tokens }: Pick<ForeignMarket, 'pools' | 'tokens'>,
): Promise<Address> {
  const factory = await owner.deploy('testing/FamilyFactory', [])
  for (const [pair, pool] of Object.entries(pools)) {
    const [base, quote] = pair.split('/') as (keyof typeof tokens)[]
    const args = [tokens[base ?? 'fUSD'], tokens[quote ?? 'fUSD'], pool] as const
    await writeContract(owner.client, { address: factory, abi: factoryAbi, functionName: 'newCurve', args })
  }
  return factory
}
