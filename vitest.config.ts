import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { RunReporter } from './test/harness/RunReporter.ts'
import { eventually, hookTimeout, testTimeout } from './test/harness/timeLimits.ts'

// Some hundred processes of a run load the same modules: compiled once, each starts in two thirds of the time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url))

// A run creates and deletes a hundred thousand files of databases. On ext4 each new file searches past those that were deleted in
// the last minutes, which took a third of the processor time of a run, so they are in memory if there is room.
const diskFolder = tmpdir()
const memoryFolder = '/dev/shm'
const databasesBytes = 4 * 1024 ** 3
if (hasRoom(memoryFolder, databasesBytes)) process.env['TMPDIR'] ??= memoryFolder

// Tests of running services wait for blocks and processes. With more workers, the nodes of the tests answer late.
const workersPerCore = 2

// Files of `pnpm test:nightly`: random campaigns, trials of many processes, and what `pnpm test` tests by other means.
const nightlyTests = '**/*.nightly.test.ts'

// Files of `pnpm test:smoke`, one for each surface that `pnpm test` leaves out.
const smokeTests = '**/*.smoke.test.ts'

// They change the code in small random ways, or make calls at random, for minutes.
const toolTrials = ['tools/mutator/{invariants,trySourceMutants}.test.ts', 'tools/prover/tryMutants.test.ts']

// The scores of pages depend on what runs beside.
const speedTests = 'test/console/lighthouse.test.ts'

const notInTest = [...configDefaults.exclude, nightlyTests, smokeTests, ...toolTrials]

// They have projects of their own.
const otherProjects = [...configDefaults.exclude, 'test/{console,package}/**']

// Each test starts local stacks or commands in processes of their own.
const commandTests = ['test/cli/*.test.ts', 'test/stack/testing.test.ts']

// They test each runtime: Node in `pnpm test`, Deno every night.
const runtimeTests = [
  'test/conformance/*.test.ts',
  'test/clients/trpcLinks.test.ts',
  'test/edge/{disconnect,edge,methods,refusals}.test.ts',
  'test/keys/{admin,idempotency,operators,restrictions}.test.ts',
  'test/limits/{requestLog,usage}.test.ts',
  'test/mcp/runtimes.test.ts',
  'test/sdk/{admin,client}.test.ts',
  'test/server/{adminPort,metrics}.test.ts',
  'test/streams/limit.test.ts',
]

// Fake timers replace those of a whole process, and also count what a service of another file sets before it has stopped.
const fakeTimerTests = findTests('packages/*/src', /useFakeTimers|connectFakeNodes/)

// They have more cases in the nightly run.
const growingTests = findTests('{packages/*/src,test}', /countRuns\(|partOf\(|inject\('extent'\)/)

const shared = {
  // The files of a worker share its modules: loading Hardhat, viem and the service anew for each file takes longer than
  // most of its tests. A test restores what it changes of a module or of the process.
  isolate: false,
  // Compiles the embedded database once, without optimising: each of its hundred instances only runs for a moment.
  execArgv: ['--liftoff-only'],
  expect: { poll: { timeout: eventually.timeout } },
  hookTimeout,
  testTimeout,
}

// Local stacks of the tests register here, and not beside the stacks of the developer.
process.env['XDG_STATE_HOME'] = join(tmpdir(), `agio-test-state-${crypto.randomUUID()}`)

export default defineConfig({
  test: {
    reporters: ['default', new RunReporter()],
    maxWorkers: workersPerCore * availableParallelism(),
    projects: [
      unitTests('unit', { include: ['packages/*/src/**/*.test.ts'], exclude: [...notInTest, ...fakeTimerTests] }),
      unitTests('timers', { include: fakeTimerTests, exclude: notInTest }),
      runningTests('integration', {
        include: ['{test,tools}/**/*.test.ts'],
        exclude: [...notInTest, ...commandTests, 'test/{console,long,package,scale}/**'],
      }),
      runningTests('smoke', { include: [smokeTests, 'test/conformance/smoke.test.ts'], exclude: otherProjects }),
      runningTests('nightly', { include: [nightlyTests, ...runtimeTests, ...growingTests], exclude: otherProjects }),
      commandProcesses(),
      longTrials(),
      packageTests(),
      consoleTests('console', 2, {
        include: ['test/console/**/*.test.ts'],
        exclude: [...configDefaults.exclude, speedTests],
      }),
      consoleTests('lighthouse', 4, { include: [speedTests] }),
    ],
  },
})

type TestFiles = { readonly include: string[]; readonly exclude?: string[] }

/** Describes tests beside the code. Files of one name share processes. */
function unitTests(name: 'unit' | 'timers', files: TestFiles): TestProjectInlineConfiguration {
  return { test: { ...shared, ...files, name } }
}

/** Describes tests against running chains and services. A test starts chains and services of its own to change them. */
function runningTests(
  name: 'integration' | 'smoke' | 'nightly' | 'long' | 'package',
  files: TestFiles,
): TestProjectInlineConfiguration {
  return {
    test: {
      ...shared,
      ...files,
      name,
      globalSetup: 'test/harness/globalSetup.ts',
      provide: { extent: name, diskFolder },
    },
  }
}

/** Describes tests of the command and of stacks in processes of their own, one file at a time, after the other tests. */
function commandProcesses(): TestProjectInlineConfiguration {
  const test = { ...shared, name: 'commands', include: commandTests, provide: { diskFolder } }
  return { test: { ...test, fileParallelism: false, sequence: { groupOrder: 3 } } }
}

/** Describes the trials of minutes, one file at a time: each needs the machine for itself. */
function longTrials(): TestProjectInlineConfiguration {
  const { test } = runningTests('long', {
    include: [
      'test/{long,scale}/**/*.test.ts',
      ...toolTrials,
      'test/maths/{curve,pools}.test.ts',
      'test/sdk/hostile/changedAnswers.nightly.test.ts',
    ],
  })
  // A group of its own: projects of one group share the number of workers.
  return { test: { ...test, testTimeout: 1_800_000, fileParallelism: false, sequence: { groupOrder: 1 } } }
}

/** Describes the tests of the packed package in projects of their own. They may install others from the registry. */
function packageTests(): TestProjectInlineConfiguration {
  const { test } = runningTests('package', { include: ['test/package/**/*.test.ts'] })
  const limits = { hookTimeout: 600_000, testTimeout: 600_000 }
  return { test: { ...test, ...limits, globalSetup: ['test/harness/globalSetup.ts', 'test/package/globalSetup.ts'] } }
}

/** Describes tests of the console in Chromium, against one `pnpm start`. They may install Chromium. */
function consoleTests(name: 'console' | 'lighthouse', groupOrder: number, files: TestFiles) {
  const limits = { hookTimeout: 600_000, globalSetup: 'test/console/globalSetup.ts' }
  const test = { ...shared, ...limits, ...files, name, provide: { diskFolder } }
  // Groups of their own: projects of one group share the number of workers, and scores need the machine for themselves.
  return { test: { ...test, maxWorkers: availableParallelism() + 1, sequence: { groupOrder } } }
}

/** Lists the tests of folders whose text matches a pattern. */
function findTests(folders: string, pattern: RegExp): string[] {
  return globSync(`${folders}/**/*.test.ts`, { cwd: import.meta.dirname }).filter((file) =>
    pattern.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  )
}

function hasRoom(folder: string, bytes: number): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= bytes
}
