import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startLocalnet } from '@agio/localnet'
import { compileContracts } from '../../test/harness/compileContracts.ts'
import { createDatabase } from '../../test/harness/createDatabase.ts'
import { startRedis } from '../../test/harness/startRedis.ts'
import { startProxy, type Proxy } from '../../test/harness/startProxy.ts'
import { startCollector } from '../../test/traces/startCollector.ts'
import { keepAwake, leaveFirstCore } from './cores.ts'
import { countUpstream, type Upstream } from '../../test/streams/countUpstream.ts'
import { deployFamilyPools, deployManyPools } from '../../test/scale/deployManyPools.ts'
import { measureAtRate, measureMemory, measureThroughput, median } from './measure.ts'
import type { Latency, Throughput } from './measure.ts'
import { startSender, type Sender } from './sender/startSender.ts'
import { startSubjects, type Measured, type SubjectName, type Subjects } from './startSubjects.ts'

// On a real network the node has its own machine. Here the EVM shares a core with the sender, and takes half a second to
// read 200 pools: a block every two seconds would dominate the measurement.
const blockIntervalMs = 12_000

/**
 * Measures previews side by side: every subject in turn, round after round, on the same core, while the others are suspended.
 * The sender has its own process, and this process runs the chains. Both are on the other cores.
 */
export async function runBench(options: Options) {
  const { pools, onProgress } = options
  await using running = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'agio-bench-'))
  running.defer(() => rm(folder, { recursive: true }))
  leaveFirstCore()

  await compileContracts()
  onProgress('Starting the chains')
  const localnet = running.use(
    await startLocalnet({ rpcPort: 0, deploymentsDir: join(folder, 'deployments'), blockIntervalMs }),
  )
  onProgress(`Deploying ${pools} pools`)
  const manyPools = await deployManyPools(localnet.chains[421614], pools)
  const familyPools = await deployFamilyPools(localnet.chains[421614])
  const proxy = running.use(await startProxy(localnet.chains[421614].rpcUrl))
  onProgress('Starting the subjects')
  const databaseUrl = running.use(await createDatabase().catch(() => undefined))?.url
  const redisUrl = running.use(await startRedis().catch(() => undefined))?.url
  const { url: collectorUrl } = running.use(await startCollector())
  const subjects = await startSubjects(
    { localnet, proxy, manyPools, familyPools, databaseUrl, redisUrl, collectorUrl, folder },
    running,
  )
  const sender = running.use(startSender())
  running.use(keepAwake())
  for (const [, subject] of listSubjects(subjects)) subject.pause()
  const { rounds, upstreams } = await measureRounds(subjects, { ...options, proxy, sender })
  const lines: BenchLine[] = []
  for (const [name, subject] of listSubjects(subjects)) {
    const throughputs = rounds.map((round) => round.get(name) as Throughput)
    const previewsPerSecond = median(throughputs.map((throughput) => throughput.perSecond))
    const perSecond = previewsPerSecond / subject.previewsPerRequest / 2
    onProgress(`Latency at half of its throughput: ${subject.name}`)
    const settings = { perSecond, seconds: options.seconds }
    const latency = await inTurn(subject, async () => {
      await measureAtRate(sender, subject, settings)
      const runs: Latency[] = []
      while (runs.length < options.rounds) runs.push(await measureAtRate(sender, subject, settings))
      // A run of a few seconds has a collection of the whole heap or not, which decides its p99.
      const p99Ms = median(runs.map((run) => run.p99Ms))
      return runs.find((run) => run.p99Ms === p99Ms) as Latency
    })
    lines.push({ name, title: subject.name, throughputs, latency })
  }
  const { rest, mixed, postgres } = subjects
  const memories = []
  for (const [subject, limitMB] of [[rest, 250] as const, [mixed, 250] as const, [postgres, 200] as const]) {
    if (!subject) continue
    const samples = await inTurn(subject, () => measureMemory(sender, subject, options))
    memories.push({ title: subject.name, limitMB, samples })
  }
  return { lines, memories, upstreams, pools }
}

type Options = {
  readonly rounds: number
  /** Number of warm-up rounds, which are discarded. */
  readonly warmUps: number
  /** Duration of each measurement. */
  readonly seconds: number
  /** Number of previews of the memory measurement. */
  readonly previews: number
  /** Number of samples of the memory measurement. */
  readonly steps: number
  /** Number of pools of the service with many pools. */
  readonly pools: number
  readonly onProgress: (message: string) => void
}

export type BenchResult = Awaited<ReturnType<typeof runBench>>

export type BenchLine = {
  readonly name: SubjectName
  readonly title: string
  /** One per round, in order. */
  readonly throughputs: readonly Throughput[]
  /** At half of the median throughput. */
  readonly latency: Latency
}

function listSubjects(subjects: Subjects): readonly (readonly [SubjectName, Measured])[] {
  return Object.entries(subjects) as [SubjectName, Measured][]
}

/**
 * Resumes a subject, measures it once it is warm, and suspends it again. V8 treats a suspended process as idle, and collects its whole
 * heap soon after it is resumed. So the first measurement is discarded.
 */
async function inTurn<Value>(subject: Measured, measure: () => Promise<Value>): Promise<Value> {
  subject.resume()
  try {
    await waitUntilWarm(subject)
    return await measure()
  } finally {
    subject.pause()
  }
}

/** Measures every subject once per round. */
async function measureRounds(
  subjects: Subjects,
  { proxy, sender, ...options }: Options & { readonly proxy: Proxy; readonly sender: Sender },
) {
  const { rounds: count, warmUps, seconds, onProgress } = options
  const rounds: ReadonlyMap<SubjectName, Throughput>[] = []
  const upstreams = new Map<SubjectName, Upstream>()
  for (let index = 1 - warmUps; index <= count; index++) {
    const round = new Map<SubjectName, Throughput>()
    for (const [name, subject] of listSubjects(subjects)) {
      onProgress(index < 1 ? `Warming up: ${subject.name}` : `Round ${index} of ${count}: ${subject.name}`)
      const measure = (duration: number) => measureThroughput(sender, subject, { duration })
      const { value, ...counts } = await inTurn(subject, async () => {
        await measure(seconds / 3)
        return await countUpstream(proxy, () => measure(seconds))
      })
      round.set(name, value)
      upstreams.set(name, counts)
    }
    if (index > 0) rounds.push(round)
  }
  return { rounds, upstreams }
}

/**
 * Waits until a subject responds from memory. Its node reads a new block first, which takes long for many pools on a machine
 * where the node shares a core with the sender.
 *
 * @throws `Error` with the last response if none has status 200
 */
async function waitUntilWarm({ name, url, load: [first] }: Pick<Measured, 'name' | 'url' | 'load'>): Promise<void> {
  const { path = '', ...request } = first ?? {}
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${url}${path}`, request)
    const text = await answer.text()
    if (answer.ok) return
    if (tries === 50) throw new Error(`Cannot measure ${name}: its preview responds with ${text}`)
    await wait(200)
  }
}
