import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Localnet } from '@agio/localnet'
import { createEmptyDatabase } from '../stack/createEmptyDatabase.ts'
import { createOperator } from '../stack/createOperator.ts'
import { serverCommands } from '../stack/serverCommands.ts'
import { settingsFor } from '../stack/settingsFor.ts'
import type { Proxy } from '../stack/startProxy.ts'
import { toEnvironment } from '../stack/toEnvironment.ts'
import { createLoads } from './createLoads.ts'
import { listOwnPools, type MarketPool } from './deployPools.ts'
import type { Load } from './Load.ts'
import { startSubject, type Subject } from './startSubject.ts'

/** A process, and the previews that it is asked for. */
export type Measured = Subject & { readonly load: Load }

const chainId = 421614
// More than is ever asked: the limits are counted, and let all pass.
const unlimited = { requests: 1e12, windowSeconds: 900, burstPerSecond: 1e12, monthlyQuota: 1e12 }

/**
 * Starts everything that is compared, on its own: what answers always the same, trpc-to-openapi as it comes, and the service
 * in all its forms, with limits, quotas and usage counted, and a line in the log for each request.
 */
export async function startSubjects(
  { localnet, proxy, manyPools, folder }: startSubjects.Settings,
  running: AsyncDisposableStack,
): Promise<Record<SubjectName, Measured>> {
  const ownNode = localnet.chains[chainId].rpcUrl
  const ownPools = listOwnPools(localnet.chains[chainId])
  const emptyDatabase = join(folder, 'empty')
  await createEmptyDatabase(emptyDatabase)
  const anyLoad = createLoads({ chainId, pools: ownPools, apiKey: 'none' }).rest

  async function startPlain(name: string, file: string, env: Readonly<Record<string, string>> = {}): Promise<Measured> {
    const command = [process.execPath, `test/bench/subjects/${file}.ts`]
    return { ...running.use(await startSubject({ name, command, env, folder })), load: anyLoad }
  }
  async function startService(runtime: keyof typeof serverCommands, deploymentsDir: string, nodeUrl = ownNode) {
    const rpcUrls = { 84532: [localnet.chains[84532].rpcUrl], [chainId]: [nodeUrl] } as const
    const settings = settingsFor(
      localnet,
      { deploymentsDir, rpcUrls, phase: 'production', logLevel: 'info' },
      emptyDatabase,
    )
    const name = `${runtime} ${deploymentsDir}`
    const subject = await startSubject({ name, command: serverCommands[runtime], env: toEnvironment(settings), folder })
    running.use(subject)
    const { key } = await createOperator(subject.url).issue(unlimited)
    const loadsOf = (pools: readonly MarketPool[]) => createLoads({ chainId, pools, apiKey: key })
    return { subject, loadsOf }
  }
  const onNode = await startService('Node', localnet.deploymentsDir, proxy.url)
  const onDeno = await startService('Deno', localnet.deploymentsDir)
  const manyPoolsDir = join(folder, 'many')
  await writeDeployments(manyPoolsDir, localnet, manyPools)
  const ofMany = await startService('Node', manyPoolsDir)
  const { rest, trpc } = onNode.loadsOf(ownPools)
  return {
    bareNode: await startPlain('node:http, always the same answer', 'bareNode'),
    bareHono: await startPlain('Hono and zod, always the same answer', 'bareHono'),
    library: await startPlain('trpc-to-openapi, always the same answer', 'libraryBridge'),
    libraryRead: await startPlain('trpc-to-openapi and readContract', 'libraryBridge', {
      UPSTREAM: ownNode,
    }),
    rest: { ...onNode.subject, name: 'Agio, REST', load: rest },
    trpc: { ...onNode.subject, name: 'Agio, tRPC', load: trpc },
    many: { ...ofMany.subject, name: `Agio, REST, ${manyPools.length} pools`, load: ofMany.loadsOf(manyPools).rest },
    deno: { ...onDeno.subject, name: 'Agio, REST, on Deno', load: onDeno.loadsOf(ownPools).rest },
  }
}

export type SubjectName = 'bareNode' | 'bareHono' | 'library' | 'libraryRead' | 'rest' | 'trpc' | 'many' | 'deno'

export declare namespace startSubjects {
  type Settings = {
    readonly localnet: Localnet
    /** Stands between the service on Node and the node that previews are about. */
    readonly proxy: Proxy
    readonly manyPools: readonly MarketPool[]
    readonly folder: string
  }
}

async function writeDeployments(folder: string, localnet: Localnet, pools: readonly MarketPool[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await cp(localnet.deploymentsDir, folder, { recursive: true, filter: (path) => !path.includes('data-') })
  const deployment = { ...localnet.chains[chainId].deployment, pools: pools.map(({ address }) => address) }
  await writeFile(join(folder, `${chainId}.json`), JSON.stringify(deployment))
}
