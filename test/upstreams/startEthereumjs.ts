import { localAccounts } from '@agio/localnet'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { numberToHex, zeroAddress, zeroHash } from 'viem'
import { expect } from 'vitest'
import { deploymentProxy } from '../../packages/localnet/src/deployment/create2.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { killOnExit } from '../harness/killOnExit.ts'

/**
 * Starts the node of `@ethereumjs/client`, which shares no code with the local chains, takes no block hashes in calls
 * (EIP-1898), and estimates too little gas. It mines no blocks after the Merge, so blocks are made over its engine API.
 *
 * @param program the folder of the installed package
 * @param folder the folder of its data
 */
export async function startEthereumjs(
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
