import type { Address } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { onTestFinished } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { createDatabase, type TestDatabase } from '../harness/createDatabase.ts'
import { deployFamilyPool, type FamilyPool } from './deployFamilyPool.ts'
import { deployFamilyRouter } from '../harness/deployFamilyRouter.ts'
import { deployIsolatedPool, type IsolatedPool } from './deployIsolatedPool.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startRedis } from '../harness/startRedis.ts'
import { startTcpProxy, type TcpProxy } from '../harness/startTcpProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'

/** Starts what provokes every code of the catalogue: chains with scenarios, and two services over them. */
export async function startCodesStack(): Promise<CodesStack> {
  await using starting = new AsyncDisposableStack()
  const localnet = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const chain = localnet.chains[84532]
  const isolated = await deployIsolatedPool(chain, localnet.deploymentsDir)
  const curved = await deployFamilyPool(chain, localnet.deploymentsDir)
  const { chainId, tokens } = localnet.chains[421614]
  await deployFamilyRouter(localnet.chains[421614], localnet.deploymentsDir)
  const local = await startAgio({ localnet, maxStreams: 1, ownDatabase: true })
  starting.defer(() => local.stop())

  const [postgres, redis] = [starting.use(await startPostgres()), starting.use(await startRedis())]
  const database = starting.use(await createDatabase(postgres.url))
  const toDatabase = starting.use(await startTcpProxy(database.url))
  const node = starting.use(await startProxy(chain.rpcUrl))
  const served = await startTestServer(localnet, {
    databaseUrl: toDatabase.url,
    redisUrl: redis.url,
    phase: 'staging',
    rpcUrls: { 84532: [node.url] },
  })
  starting.defer(() => served.stop())

  const inputs = validInputs(chain)
  const running = starting.move()
  return {
    localnet,
    chain,
    isolated,
    curved,
    family: { chainId, tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'] },
    inputs,
    local,
    served: { url: served.url, node, database, toDatabase },
    async injectFault(...fault) {
      onTestFinished(() => local.recover('convert.preview', inputs['convert.preview']))
      await local.scenarios.run(...fault)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type CodesStack = AsyncDisposable & {
  readonly localnet: Localnet
  /** The first chain, with two more tokens that no pool connects to the others. */
  readonly chain: LocalChain
  readonly isolated: IsolatedPool
  /** A pool of the family on the first chain. */
  readonly curved: FamilyPool
  /** A pair of the second chain, whose router is one of the family. */
  readonly family: { readonly chainId: number } & Readonly<Record<'tokenIn' | 'tokenOut', Address | undefined>>
  readonly inputs: ReturnType<typeof validInputs>
  /** A service as under `pnpm start`, with scenarios. */
  readonly local: AgioStack
  /** A service as in production: on PostgreSQL and Redis, with enforced quotas. */
  readonly served: {
    readonly url: string
    /** The proxy in front of the node of the first chain. */
    readonly node: Proxy
    readonly database: TestDatabase
    /** The proxy in front of the database. */
    readonly toDatabase: TcpProxy
  }
  /** Injects a fault until the test ends. */
  injectFault(...fault: Parameters<AgioStack['scenarios']['run']>): Promise<void>
}
