import { Network } from '@agio/core'
import {
  startAgio as startStack,
  type AgioStack as LocalStack,
  type LocalChain,
  type Localnet,
  type startLocalService,
} from '@agio/localnet'
import { expect } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import type { Caller } from './Caller.ts'
import { connectOwner } from './connectOwner.ts'
import { createFundedWallet } from './createFundedWallet.ts'
import { createRestCaller } from './createRestCaller.ts'
import { createTrpcCaller } from './createTrpcCaller.ts'
import { adminKey, apiKey } from './settingsFor.ts'
import { startTestLocalnet, takeChainSnapshot } from './startTestLocalnet.ts'
import { chooseDatabase, type startTestServer } from './startTestServer.ts'
import { waitForBlock } from './waitForBlock.ts'

/**
 * Starts the `startAgio` of `@agio/localnet` over the chains of the tests, with their keys and callers. Blocks are mined with
 * transactions only.
 *
 * @example
 * await using agio = await startAgio()
 * const wallet = await agio.wallet({ tAUD: '1000' })
 * const quote = await agio.client.quote({ chainId: 84532, amountIn: '100', … })
 * await agio.scenarios.run('stale-price')
 */
export async function startAgio({ localnet: given, prepare, ...settings }: startAgio.Options = {}): Promise<AgioStack> {
  await using starting = new AsyncDisposableStack()
  const localnet = given ?? starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const { finalityBlocks, nodeTimeoutMs, ...changes } = { ...settings, ...(await prepare?.(localnet)) }
  const { rpcUrls, deploymentsDir } = changes
  const { settings: chosen, store } = await chooseDatabase(localnet, changes)
  const serviceSettings = { ...chosen, rpcUrls, deploymentsDir, finalityBlocks }
  const stack = starting.use(
    await startStack({ localnet, settings: serviceSettings, apiKey }, { store, nodeTimeoutMs }),
  )
  const running = starting.move()
  const stop = () => running.disposeAsync()
  const { url } = stack
  const callers = { REST: createRestCaller({ url, apiKey }), tRPC: createTrpcCaller({ url, apiKey }) }
  const request = (...call: Parameters<Caller>) => requestAll(Object.values(callers), call)
  return {
    ...stack,
    callers,
    request,
    wallet: (holding, { chainId = 84532, ...options } = {}) =>
      createFundedWallet(localnet.chains, { chainId, holding, ...options }),
    async recover(...call) {
      await stack.scenarios.reset()
      await expect.poll(() => request(...call)).toEqual(['200 ok', '200 ok'])
    },
    snapshot: settings.ownDatabase ? stack.snapshot : () => takeSnapshot(localnet, url),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export declare namespace startAgio {
  type Options = Changes & {
    /** Chains to serve, which the caller stops. Default: new ones. */
    readonly localnet?: Localnet | undefined
    /** Changes the chains before the service starts, and returns further settings. */
    readonly prepare?: ((localnet: Localnet) => Changes | Promise<Changes | void> | void) | undefined
  }
  type Changes = startTestServer.Changes &
    Pick<startLocalService.Settings, 'finalityBlocks'> &
    Pick<startLocalService.Dependencies, 'nodeTimeoutMs'>
}

export type AgioStack = Omit<LocalStack, 'wallet' | 'snapshot'> & {
  readonly callers: Readonly<Record<'REST' | 'tRPC', Caller>>
  /** Creates a wallet of a new account that holds native currency and tokens, in whole tokens by symbol. */
  wallet(
    holding: Readonly<Record<string, string>>,
    options?: Partial<Omit<createFundedWallet.Options, 'holding'>>,
  ): Promise<TestWallet>
  /** Calls an operation over REST and over tRPC, and returns status and code of each. Asserts that neither leaks internals. */
  request(...call: Parameters<Caller>): Promise<readonly string[]>
  /** Resets all scenarios, and waits until an operation succeeds. */
  recover(...call: Parameters<Caller>): Promise<void>
  /** Takes a snapshot of all chains, and of the service if it has its own database, to return to any number of times. */
  snapshot(): Promise<Snapshot>
}

type Snapshot = {
  /** Returns all chains to the state of the snapshot, in new blocks, and waits until the service has them. */
  restore(): Promise<void>
}

const leak = new RegExp(
  `127\\.0\\.0\\.1|localhost|https?:|node_modules|\\.[jt]s:\\d|\\\\n\\s+at |${apiKey}|${adminKey}`,
)

async function requestAll(callers: readonly Caller[], call: Parameters<Caller>): Promise<readonly string[]> {
  const outcomes = await Promise.all(callers.map((caller) => caller(...call)))
  expect(JSON.stringify(outcomes)).not.toMatch(leak)
  return outcomes.map(({ status, failure }) => `${status} ${failure?.code ?? 'ok'}`)
}

async function takeSnapshot({ chains }: Localnet, url: string): Promise<Snapshot> {
  const restores = await Promise.all(Network.chainIds.map((chainId) => takeServedSnapshot(chains[chainId], url)))
  return { restore: async () => void (await Promise.all(restores.map((restore) => restore()))) }
}

async function takeServedSnapshot(chain: LocalChain, url: string): Promise<() => Promise<void>> {
  const { client } = connectOwner(chain)
  const restore = await takeChainSnapshot(chain)
  return async () => {
    const newest = await client.getBlockNumber({ cacheTime: 0 })
    await restore()
    const reverted = await client.getBlockNumber({ cacheTime: 0 })
    // To a service, a node whose newest block is older than the known one is lagging.
    await client.mine({ blocks: Number(newest - reverted) + 1 })
    await waitForBlock(url, chain)
  }
}
