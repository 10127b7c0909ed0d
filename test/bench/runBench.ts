import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalnet } from '@agio/localnet'
import { startProxy } from '../stack/startProxy.ts'
import { leaveFirstCore } from './cores.ts'
import { countUpstream, type Upstream } from './countUpstream.ts'
import { deployPools } from './deployPools.ts'
import { measureLatency, type Latency } from './measureLatency.ts'
import { measureMemory, type Memory } from './measureMemory.ts'
import { median } from './median.ts'
import { measureThroughput, type Throughput } from './measureThroughput.ts'
import { startSubjects, type SubjectName } from './startSubjects.ts'

/**
 * Measures previews side by side: every subject in turn, round after round, on the same core, while this process asks and
 * runs the chains on the other ones.
 */
export async function runBench(options: runBench.Options): Promise<BenchResult> {
  const { rounds, seconds, previews, memorySteps, pools, onProgress } = options
  await using running = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'agio-bench-'))
  running.defer(() => rm(folder, { recursive: true }))
  leaveFirstCore()

  onProgress('Starting the chains')
  const localnet = running.use(await startLocalnet({ rpcPort: 0, deploymentsDir: join(folder, 'deployments') }))
  onProgress(`Deploying ${pools} pools`)
  const manyPools = await deployPools(localnet.chains[421614], pools)
  const proxy = running.use(await startProxy(localnet.chains[421614].rpcUrl))
  onProgress('Starting what is measured')
  const subjects = await startSubjects({ localnet, proxy, manyPools, folder }, running)
  const names = Object.keys(subjects) as SubjectName[]

  const found: Record<string, Throughput[]> = {}
  let upstream: Upstream | undefined
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const subject = subjects[name]
      onProgress(round === 0 ? `Warming up: ${subject.name}` : `Round ${round} of ${rounds}: ${subject.name}`)
      const measure = () => measureThroughput(subject, { requests: subject.load, duration: seconds })
      const { value, ...requests } = await countUpstream(proxy, measure)
      if (round > 0) found[name] = [...(found[name] ?? []), value]
      if (round > 0 && name === 'rest') upstream = requests
    }
  }
  const lines: BenchLine[] = []
  for (const name of names) {
    const throughputs = found[name] as Throughput[]
    const perSecond = median(throughputs.map((throughput) => throughput.perSecond))
    onProgress(`At half of its rate: ${subjects[name].name}`)
    const latency = await measureLatency(subjects[name], {
      requests: subjects[name].load,
      perSecond: perSecond / 2,
      seconds,
    })
    lines.push({ name, title: subjects[name].name, throughputs, latency })
  }
  onProgress(`Memory over ${previews} previews`)
  const memory = await measureMemory(subjects.rest, { previews, steps: memorySteps, onProgress })
  return { lines, memory, upstream: upstream as Upstream, pools }
}

export declare namespace runBench {
  type Options = {
    readonly rounds: number
    /** How long each measurement takes. */
    readonly seconds: number
    /** How many previews memory is looked at for. */
    readonly previews: number
    readonly memorySteps: number
    /** How many pools the service with many has. */
    readonly pools: number
    readonly onProgress: (message: string) => void
  }
}

export type BenchResult = {
  readonly lines: readonly BenchLine[]
  readonly memory: Memory
  /** What the node of the service was asked while it answered as fast as it could. */
  readonly upstream: Upstream
  readonly pools: number
}

export type BenchLine = {
  readonly name: SubjectName
  readonly title: string
  /** One for each round, in order. */
  readonly throughputs: readonly Throughput[]
  /** At half of the median throughput. */
  readonly latency: Latency
}
