import { onTestFinished } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { deployFamilyPool } from './deployFamilyPool.ts'
import { deployFamilyRouter } from '../harness/deployFamilyRouter.ts'
import { deployIsolatedPool } from './deployIsolatedPool.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { startProxy } from '../harness/startProxy.ts'
import { startRedis } from '../harness/startRedis.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'

/** Starts what provokes every code of the catalogue: chains with scenarios, and two services over them. */
export async function startCodesStack() {
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
    /** The first chain, with two more tokens that no pool connects to the others. */
    chain,
    isolated,
    /** A pool of the family on the first chain. */
    curved,
    /** A pair of the second chain, whose router is one of the family. */
    family: { chainId, tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'] },
    inputs,
    /** A service as under `pnpm start`, with scenarios. */
    local,
    /** A service as in production: on PostgreSQL and Redis, with enforced quotas, and proxies before its node and database. */
    served: { url: served.url, node, database, toDatabase },
    /** Injects a fault until the test ends. */
    async injectFault(...fault: Parameters<AgioStack['scenarios']['run']>) {
      onTestFinished(() => local.recover('convert.preview', inputs['convert.preview']))
      await local.scenarios.run(...fault)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type CodesStack = Awaited<ReturnType<typeof startCodesStack>>
