import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Localnet } from '@agio/localnet'
import { createAdminClient } from '../../test/harness/createAdminClient.ts'
import { createEmptyDatabase } from '../../test/harness/createEmptyDatabase.ts'
import { killOnExit } from '../../test/harness/killOnExit.ts'
import { settingsFor } from '../../test/harness/settingsFor.ts'
import type { Proxy } from '../../test/harness/startProxy.ts'
import { toEnvironment, toServerCommand, type Runtime } from '../../test/harness/startServerProcess.ts'
import { listOwnPools, type MarketPool } from '../../test/scale/deployManyPools.ts'
import { pinned, subjectCore } from './cores.ts'
import { callsPerBatch, createLoads, type Load, type Loads } from './createLoads.ts'

/** A subject, and the requests that are sent to it, each of some previews. */
export type Measured = Subject & { readonly load: Load; readonly previewsPerRequest: number }

const chainId = 421614
// Above the load of the benchmark: the service counts the limits, and never reaches them. The keys together may make 80,000
// calls per second, and each has a burst that a real key could have.
const keys = 8
const limits = { requests: 1e12, windowSeconds: 900, burstPerSecond: 9999, monthlyQuota: 1e12 }

/**
 * Starts every subject in its own process: constant responses, unmodified trpc-to-openapi, and the service in all its
 * forms, with limits, quotas and usage counted, and a log line per request.
 */
export async function startSubjects(
  { localnet, proxy, manyPools, familyPools, databaseUrl, redisUrl, collectorUrl, folder }: Settings,
  running: AsyncDisposableStack,
) {
  const ownNode = localnet.chains[chainId].rpcUrl
  const ownPools = listOwnPools(localnet.chains[chainId])
  const emptyDatabase = join(folder, 'empty')
  await createEmptyDatabase(emptyDatabase)
  const { rest: load } = createLoads({ chainId, pools: ownPools, apiKeys: ['none'] })

  async function startPlain(name: string, file: string, env: Readonly<Record<string, string>> = {}): Promise<Measured> {
    const command = [process.execPath, `tools/benchmark/subjects/${file}.ts`]
    return { ...running.use(await startSubject({ name, command, env, folder })), load, previewsPerRequest: 1 }
  }
  async function startService(name: string, options: ServiceOptions = {}): Promise<Measured> {
    const { runtime = 'Node', transport = 'rest', nodeUrl = ownNode, pools = ownPools, ...location } = options
    const rpcUrls = { [chainId]: [nodeUrl] } as const
    const changes = { ...location, rpcUrls, phase: 'production', logLevel: 'info' } as const
    const settings = settingsFor(localnet, changes, emptyDatabase)
    const env = toEnvironment(settings)
    const command = toServerCommand(runtime, settings)
    const subject = running.use(await startSubject({ name, command, env, folder }))
    const admin = createAdminClient(subject.url)
    const issued = await Promise.all(Array.from({ length: keys }, () => admin.issue(limits)))
    const apiKeys = issued.map(({ key }) => key)
    const previewsPerRequest = { rest: 1, trpc: 1, twoHops: 1, batch: callsPerBatch, mixed: (2 + callsPerBatch) / 3 }[
      transport
    ]
    return { ...subject, load: createLoads({ chainId, pools, apiKeys })[transport], previewsPerRequest }
  }
  const [manyPoolsDir, familyDir] = [join(folder, 'many'), join(folder, 'family')]
  await writeDeployments(manyPoolsDir, localnet, manyPools)
  await writeDeployments(familyDir, localnet, familyPools)
  const ofFamily = { nodeUrl: proxy.url, deploymentsDir: familyDir, pools: familyPools } as const
  const many = `Agio, REST, ${manyPools.length} pools`
  return {
    bareNode: await startPlain('node:http, constant response', 'bareNode'),
    bareHono: await startPlain('Hono and zod, constant response', 'bareHono'),
    library: await startPlain('trpc-to-openapi, constant response', 'libraryBridge'),
    libraryRead: await startPlain('trpc-to-openapi and readContract', 'libraryBridge', { UPSTREAM: ownNode }),
    rest: await startService('Agio, REST', { nodeUrl: proxy.url }),
    // Separate processes, because V8 optimises a process that serves several transports for all of them.
    trpc: await startService('Agio, tRPC', { transport: 'trpc' }),
    batch: await startService(`Agio, tRPC, batches of ${callsPerBatch}`, { transport: 'batch' }),
    mixed: await startService('Agio, REST and tRPC', { transport: 'mixed' }),
    twoHops: await startService('Agio, REST, two pools in sequence', { transport: 'twoHops' }),
    family: await startService('Agio, REST, a foreign pool', ofFamily),
    familyTwoHops: await startService('Agio, REST, two foreign pools in sequence', {
      ...ofFamily,
      transport: 'twoHops',
    }),
    many: await startService(many, { deploymentsDir: manyPoolsDir, pools: manyPools }),
    deno: await startService('Agio, REST, on Deno', { runtime: 'Deno' }),
    traced: await startService('Agio, REST, 1 % traced', { traceEndpoint: collectorUrl, traceShare: 0.01 }),
    ...(databaseUrl !== undefined && {
      postgres: await startService('Agio, REST, on PostgreSQL', { databaseUrl }),
      ...(redisUrl !== undefined && {
        shared: await startService('Agio, REST, on PostgreSQL and Redis', { databaseUrl, redisUrl }),
      }),
    }),
  }
}

/** Some subjects exist only if PostgreSQL is available. */
export type Subjects = Awaited<ReturnType<typeof startSubjects>>

export type SubjectName = keyof Subjects

type ServiceOptions = {
  readonly runtime?: Runtime
  readonly transport?: keyof Loads
  /** The node that the previews read. */
  readonly nodeUrl?: string
  readonly pools?: readonly MarketPool[]
  readonly deploymentsDir?: string
  readonly databaseUrl?: string
  readonly redisUrl?: string
  readonly traceEndpoint?: string
  readonly traceShare?: number
}

type Settings = {
  readonly localnet: Localnet
  /** The proxy between the service on Node and its node. */
  readonly proxy: Proxy
  readonly manyPools: readonly MarketPool[]
  /** Pools of the DFX v2 / Stabull v1 family. */
  readonly familyPools: readonly MarketPool[]
  /** An empty PostgreSQL database, if available. */
  readonly databaseUrl?: string | undefined
  /** A Redis, if available. */
  readonly redisUrl?: string | undefined
  /** A collector of traces. */
  readonly collectorUrl: string
  readonly folder: string
}

async function writeDeployments(folder: string, localnet: Localnet, pools: readonly MarketPool[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await cp(localnet.deploymentsDir, folder, { recursive: true, filter: (path) => !path.includes('data-') })
  const deployment = { ...localnet.chains[chainId].deployment, pools: pools.map(({ address }) => address) }
  await writeFile(join(folder, `${chainId}.json`), JSON.stringify(deployment))
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Starts a subject as in production, as the only process on the first core, with its output in a file.
 *
 * @throws `Error` with its output if it exits before it is ready
 */
async function startSubject({ name, command, env, folder }: SubjectSettings) {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const output = openSync(file, 'w')
  const [program, ...args] = pinned(subjectCore, command)
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', output, output],
  })
  killOnExit(child)
  const exited = once(child, 'exit')
  const url = await untilReady(file, () => child.exitCode !== null)
  return {
    name,
    url,
    pid: child.pid ?? 0,
    /** Suspends it, so that it does not disturb the other subjects. */
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await exited
    },
  }
}

type SubjectSettings = {
  readonly name: string
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The folder of its output. */
  readonly folder: string
}

type Subject = Awaited<ReturnType<typeof startSubject>>

async function untilReady(file: string, hasEnded: () => boolean): Promise<string> {
  for (;;) {
    const isOver = hasEnded()
    const written = await readFile(file, 'utf8')
    const url = /^ready (?:\(.*\) )?on (\S+)$/m.exec(written)?.[1]
    if (url !== undefined) return url
    if (isOver) throw new Error(`Cannot start a subject: ${written}`)
    await wait(50)
  }
}
