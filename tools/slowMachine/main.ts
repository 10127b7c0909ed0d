// Runs `pnpm test` on a machine that is busy, and on a machine that stands still at times: `pnpm test:slow`. `--busy` and `--paused` set
// the number of runs of each kind, and `--seed` the moments of the pauses. Writes docs/reports/slow-machine.md.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { describeCommit, describeMachine } from '../../test/reports/describeRun.ts'

const { values } = parseArgs({
  options: {
    busy: { type: 'string', default: '3' },
    paused: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    write: { type: 'boolean', default: false },
  },
})
const pauseMs = 6_000
const longestGapMs = 60_000

// Databases of their own pause on no machine that runs the tests: a server elsewhere answers while the machine stands still.
const servers = /^(postgres|redis-server)/

const root = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'agio-slow-machine-'))
console.log(`Seed ${values.seed}. The output of each run is in ${folder}`)

const runs: Run[] = []
for (let index = 1; index <= Number(values.busy); index += 1) runs.push(await runTests('both cores are busy', index))
for (let index = 1; index <= Number(values.paused); index += 1) runs.push(await runTests('all processes pause', index))
if (values.write) await writeFile(join(root, 'docs/reports/slow-machine.md'), formatReport())
process.exitCode = runs.every(({ status }) => status === 0) ? 0 : 1

async function runTests(load: Run['load'], index: number): Promise<Run> {
  const file = join(folder, `${load.replaceAll(' ', '-')}-${index}.log`)
  const output = createWriteStream(file)
  const start = performance.now()
  const tests = spawn('npx', ['-y', 'pnpm@12', 'test'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  tests.stdout.pipe(output, { end: false })
  tests.stderr.pipe(output, { end: false })
  const ended = waitForEnd(tests)
  const pauses =
    load === 'both cores are busy' ? await whileBusy(ended) : await pauseAtRandom(tests, ended, values.seed + index)
  const status = await ended
  output.end()
  await finished(output)
  const run = { load, status, pauses, seconds: (performance.now() - start) / 1000, ...(await readOutcome(file)) }
  console.log(run)
  return run
}

/** Keeps two cores busy until the tests have ended. Returns the number of pauses, which is 0. */
async function whileBusy(ended: Promise<unknown>): Promise<number> {
  const hash =
    "for (const zeros = Buffer.alloc(65536); ; ) require('node:crypto').createHash('sha256').update(zeros).digest()"
  const loops = [1, 2].map(() => spawn(process.execPath, ['-e', hash], { stdio: 'ignore' }))
  await ended
  for (const loop of loops) loop.kill()
  return 0
}

/** Pauses a process and all that it has started, except databases, for six seconds at random moments. Returns the number of pauses. */
async function pauseAtRandom(root: ChildProcess, ended: Promise<unknown>, seed: string): Promise<number> {
  const abort = new AbortController()
  void ended.then(() => abort.abort())
  for (let count = 0; ; count += 1) {
    const gapMs = toFraction(`${seed} ${count}`) * longestGapMs
    try {
      await setTimeout(gapMs, undefined, { signal: abort.signal })
    } catch {
      return count
    }
    sendAll(root.pid ?? 0, 'SIGSTOP')
    await setTimeout(pauseMs)
    sendAll(root.pid ?? 0, 'SIGCONT')
  }
}

function toFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

/** Signals the process and what it has started, parents first, without databases. */
function sendAll(root: number, signal: NodeJS.Signals): void {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line))
    .map((match) => ({ pid: Number(match?.[1]), parent: Number(match?.[2]), name: match?.[3] ?? '' }))
    .filter(({ name }) => !servers.test(name))
  const pids = [root]
  for (const pid of pids) {
    pids.push(...processes.filter(({ parent }) => parent === pid).map((child) => child.pid))
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

async function waitForEnd(child: ChildProcess): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  child.once('close', (code) => resolve(code ?? 1))
  return await promise
}

/** Returns the counts of Vitest, and the names of the tests that failed. */
async function readOutcome(file: string): Promise<Pick<Run, 'tests' | 'failed'>> {
  // oxlint-disable-next-line no-control-regex
  const text = (await readFile(file, 'utf8')).replaceAll(/\u001B\[\d*m/g, '')
  const tests = /^ *Tests +(.*)$/m.exec(text)?.[1] ?? 'no test'
  const failed = new Set([...text.matchAll(/^ *FAIL +(.*)$/gm)].map(([, title = '']) => title))
  return { tests: tests.replaceAll(' | ', ', '), failed: [...failed] }
}

/** A run of the tests on a slow machine. */
type Run = {
  readonly load: 'both cores are busy' | 'all processes pause'
  readonly status: number
  readonly pauses: number
  readonly seconds: number
  /** The line of Vitest with the counts of tests. */
  readonly tests: string
  /** The titles of the tests that failed. */
  readonly failed: readonly string[]
}

/** Returns the page of the last trial. */
function formatReport(): string {
  const date = new Date().toISOString().slice(0, 10)
  const rows = runs.map(
    ({ load, pauses, seconds, tests, failed }) =>
      `| ${load} | ${pauses} | ${Math.round(seconds)} | ${tests} | ${failed.join('<br>') || 'none'} |`,
  )
  return `# Tests on a slow machine

Date: ${date}. Commit: ${describeCommit()}. Machine: ${describeMachine()}. Seed ${values.seed}.

\`pnpm test:slow --write\` writes this page. A busy machine has two more processes that hash without a pause. On a machine that stands
still, the tests and all their processes except databases stop for 6 s at random moments, at most 60 s apart.

| machine | pauses | seconds | tests | failed |
| --- | ---: | ---: | --- | --- |
${rows.join('\n')}
`
}
