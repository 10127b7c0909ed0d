import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { parseDeployment } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { localAccounts } from '@agio/localnet'
import { deployContracts } from '@agio/localnet/commands'
import { createWalletClient, http, numberToHex, publicActions, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, inject, it } from 'vitest'
import { deploymentProxy } from '../../packages/localnet/src/deployment/create2.ts'
import { createAgio } from '../../packages/sdk/src/index.ts'
import type { Caller } from '../harness/Caller.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { executeQuote } from '../harness/executeQuote.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { killOnExit } from '../harness/killOnExit.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { longTests } from '../harness/timeLimits.ts'
import { canReachRegistry, installTool } from '../package/npm.ts'
import { useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()

it.each([
  ['mines a block a second', ['--block-time', '1']],
  ['is of the OP stack', ['--network', 'optimism']],
  ['is of the OP stack, and mines a block a second', ['--network', 'optimism', '--block-time', '1']],
])('conversions over an anvil that %s pay exactly what was quoted, over one pool and over two', async (_, options) => {
  await using anvil = await startAnvil(options)
  const deploymentsDir = await deploy(anvil)
  const { url, stop } = await startTestServer(upstreams.localnet, {
    rpcUrls: { 84532: [anvil.rpcUrl] },
    deploymentsDir,
  })
  await using _server = { [Symbol.asyncDispose]: stop }
  const call = createRestCaller({ url, apiKey })
  const token = await readTokens(call)
  for (const [from, to] of [
    ['tAUD', 'tUSD'],
    ['tAUD', 'tEUR'],
  ] as const) {
    const input = { chainId: 84532, tokenIn: token(from), tokenOut: token(to) }
    for (const amount of [{ amountIn: '250' }, { amountOut: '80' }]) {
      const done = await executeQuote(call, anvil, { ...input, ...amount })
      expect([done.paidRaw, done.receivedRaw]).toEqual([done.amountInRaw, done.amountOutRaw])
      const { transactionHash } = done.sent
      expect(await call('convert.receipt', { transactionHash })).toMatchObject({ status: 200 })
      expect(await call('transaction.track', { transactionHash })).toMatchObject({ status: 200 })
    }
  }
})

it(
  'a conversion over @ethereumjs/client, which takes no block hashes, pays exactly what was quoted',
  {
    timeout: longTests.wholeProgram,
  },
  async ({ skip }) => {
    const folder = await mkdtemp(join(inject('runFolder'), 'ethereumjs-'))
    if (!(await canReachRegistry(folder))) skip('the registry of npm cannot be reached')
    const program = await installTool(join(tmpdir(), 'agio-tools'), { name: '@ethereumjs/client', version: '0.10.5' })
    await using node = await startEthereumjs(program, folder)
    const deploymentsDir = await deploy(node)
    const settings = { rpcUrls: { 84532: [node.rpcUrl] }, deploymentsDir }
    const { url, stop } = await startTestServer(upstreams.localnet, settings)
    await using _server = { [Symbol.asyncDispose]: stop }
    const account = privateKeyToAccount(localAccounts[0].privateKey)
    const wallet = createWalletClient({ account, transport: http(node.rpcUrl) }).extend(publicActions)
    const agio = createAgio({ url, apiKey, contracts: 'service' })
    const token = await readTokens(createRestCaller({ url, apiKey }))
    const [aud, usd] = [token('tAUD'), token('tUSD')]
    const mint = { address: aud, abi: tokenAbi, functionName: 'mint', args: [account.address, 10n ** 9n] } as const
    const hash = await wallet.writeContract({ ...mint, gas: 200_000n, chain: null })
    await wallet.waitForTransactionReceipt({ hash, pollingInterval: 100 })
    const quote = await agio.quote({ chainId: 84532, tokenIn: aud, tokenOut: usd, amountIn: '100' })
    expect(await agio.convert({ quote, wallet })).toMatchObject({ amountIn: '100.000000', amountOut: quote.amountOut })
  },
)

it.each(['shanghai', 'london'])(
  'error: a deployment to a node at %s is one sentence that names Cancun',
  async (hardfork) => {
    await using anvil = await startAnvil(['--hardfork', hardfork])
    await expect(deploy(anvil)).rejects.toThrow(/^Cannot deploy: the network needs Cancun, or a later hardfork$/)
  },
)

it('of three anvils, the first one that follows another chain serves no preview, and previews go on', async () => {
  await using own = await startAnvil([])
  await using other = await startAnvil([])
  // The contracts have the same addresses on both, and no block has the same hash.
  await connectOwner(other).client.mine({ blocks: 1 })
  const [deploymentsDir] = await Promise.all([deploy(own), deploy(other)])
  const file = join(deploymentsDir, '84532.json')
  const deployment = parseDeployment(JSON.parse(await readFile(file, 'utf8')), file)
  for (const { rpcUrl } of [own, other]) await connectOwner({ rpcUrl }).client.setIntervalMining({ interval: 1 })
  const { first } = upstreams
  first.setUpstream(own.rpcUrl)
  const chain = upstreams.open([first.url, own.rpcUrl, `${own.rpcUrl}/`], { deployment })
  const { client } = connectOwner(own)
  await chain.pools.getSnapshot()
  first.setUpstream(other.rpcUrl)
  const switchedAtMs = performance.now()
  let wrong = 0
  while (performance.now() < switchedAtMs + attackMs) {
    const { block } = await chain.pools.getSnapshot()
    const known = await client.getBlock({ blockHash: block.hash }).catch(() => undefined)
    if (!known && performance.now() > switchedAtMs + 1000) wrong += 1
    await setTimeout(50)
  }
  expect(wrong).toBe(0)
})

const attackMs = 15_000

/** Reads the tokens of the chain from the service, and returns a function that returns the address of one. */
async function readTokens(call: Caller): Promise<(symbol: string) => Address> {
  const { data } = await call('chains.list', {})
  const [chain] = data?.['chains'] as [
    { readonly tokens: readonly { readonly symbol: string; readonly address: Address }[] },
  ]
  return (symbol) => chain.tokens.find((each) => each.symbol === symbol)?.address ?? zeroAddress
}

/** Starts a node of Foundry, which shares no code with the local chains, and has their accounts. */
async function startAnvil(options: readonly string[]): Promise<AsyncDisposable & { readonly rpcUrl: string }> {
  const program = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs')
  const args = [program, '--chain-id', '84532', '--port', '0', ...options]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  killOnExit(child, 'SIGTERM')
  for await (const line of createInterface(child.stdout)) {
    const rpcUrl = /Listening on (\S+)/.exec(line)?.[1]
    if (rpcUrl === undefined) continue
    child.stdout.resume()
    return {
      rpcUrl: `http://${rpcUrl}`,
      async [Symbol.asyncDispose]() {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      },
    }
  }
  throw new Error('anvil has ended')
}

/** Deploys the contracts, and returns the folder of the deployment files. */
async function deploy({ rpcUrl }: { readonly rpcUrl: string }): Promise<string> {
  const folder = await mkdtemp(join(inject('runFolder'), 'anvil-'))
  const environment = { RPC_URL_84532: rpcUrl, DEPLOYER_KEY: localAccounts[0].privateKey, DEPLOYMENTS_DIR: folder }
  await deployContracts({ network: 'baseSepolia', dollarsPerSide: '1000000' }, environment)
  await cp(join(upstreams.localnet.deploymentsDir, '421614.json'), join(folder, '421614.json'))
  return folder
}

/**
 * Starts the node of `@ethereumjs/client`, which shares no code with the local chains, takes no block hashes in calls
 * (EIP-1898), and estimates too little gas. It mines no blocks after the Merge, so blocks are made over its engine API.
 *
 * @param program the folder of the installed package
 * @param folder the folder of its data
 */
async function startEthereumjs(
  program: string,
  folder: string,
): Promise<AsyncDisposable & { readonly rpcUrl: string }> {
  const [rpcPort, enginePort, port] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const genesis = join(folder, 'genesis.json')
  await writeFile(genesis, JSON.stringify(toGenesis()))
  const options = {
    rpcPort,
    rpcEnginePort: enginePort,
    port,
    rpcAddr: '127.0.0.1',
    rpcEngineAddr: '127.0.0.1',
    rpcEngineAuth: false,
    dataDir: join(folder, 'data'),
    gethGenesis: genesis,
    logLevel: 'error',
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const flags = ['--isSingleNode', '--rpc', '--rpcEngine']
  const child = spawn(process.execPath, [join(program, 'dist/esm/bin/cli.js'), ...flags, ...args], { stdio: 'ignore' })
  killOnExit(child, 'SIGTERM')
  const [rpcUrl, engineUrl] = [`http://127.0.0.1:${rpcPort}`, `http://127.0.0.1:${enginePort}`]
  await expect.poll(() => call(engineUrl, 'eth_chainId').catch(() => undefined)).toBe('0x14a34')
  const stopping = new AbortController()
  const mining = mineBlocks(rpcUrl, engineUrl, stopping.signal)
  return {
    rpcUrl,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await mining
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Makes a block every 300 ms, as a consensus client does, until the signal is aborted. */
async function mineBlocks(rpcUrl: string, engineUrl: string, signal: AbortSignal): Promise<void> {
  const [safeBlockHash, parentBeaconBlockRoot, prevRandao] = [zeroHash, zeroHash, zeroHash]
  let { hash, timestamp } = await call<Block>(rpcUrl, 'eth_getBlockByNumber', 'latest', false)
  while (!signal.aborted) {
    timestamp = numberToHex(Math.max(Number(timestamp) + 1, Math.floor(Date.now() / 1000)))
    const state = { headBlockHash: hash, safeBlockHash, finalizedBlockHash: zeroHash }
    const attributes = { timestamp, prevRandao, suggestedFeeRecipient: zeroAddress, withdrawals: [] }
    const { payloadId } = await call<{ payloadId: string }>(engineUrl, 'engine_forkchoiceUpdatedV3', state, {
      ...attributes,
      parentBeaconBlockRoot,
    })
    const built = await call<{ executionPayload: { blockHash: string } }>(engineUrl, 'engine_getPayloadV3', payloadId)
    await call(engineUrl, 'engine_newPayloadV3', built.executionPayload, [], parentBeaconBlockRoot)
    hash = built.executionPayload.blockHash
    await call(engineUrl, 'engine_forkchoiceUpdatedV3', { ...state, headBlockHash: hash }, null)
    await setTimeout(300)
  }
}

type Block = { readonly hash: string; readonly timestamp: string }

async function call<Result>(url: string, method: string, ...params: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { readonly result: Result; readonly error?: unknown }
  if (error) throw new Error(`Cannot call ${method}: ${JSON.stringify(error)}`)
  return result
}

/** Returns the first block: all forks up to Cancun, a funded account, and the proxy of deterministic deployments. */
function toGenesis(): object {
  const blocks = 'homestead eip150 eip155 eip158 byzantium constantinople petersburg istanbul berlin london'.split(' ')
  const forks = Object.fromEntries(blocks.map((name) => [`${name}Block`, 0]))
  const nothing = { mixHash: zeroHash, parentHash: zeroHash, coinbase: zeroAddress, number: '0x0', gasUsed: '0x0' }
  return {
    ...nothing,
    config: { chainId: 84532, ...forks, shanghaiTime: 0, cancunTime: 0, clique: { period: 1, epoch: 30_000 } },
    nonce: '0x0',
    timestamp: '0x614b3731',
    gasLimit: '0x10000000',
    difficulty: '0x1',
    // The node estimates the gas of calls without a gas price only if the base fee is zero.
    baseFeePerGas: '0x0',
    extraData: `0x${'0'.repeat(64)}${localAccounts[0].address.slice(2)}${'0'.repeat(130)}`,
    alloc: {
      [localAccounts[0].address.slice(2)]: { balance: numberToHex(10n ** 21n) },
      [deploymentProxy.slice(2)]: { balance: '0x0', code: proxyCode },
    },
  }
}

const proxyCode =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
