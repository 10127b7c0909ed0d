import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

// What is polled arrives within a second on an idle machine. The limits leave room for a machine that is busy.
const limits = { expect: { poll: { timeout: 20_000 } }, hookTimeout: 90_000, testTimeout: 60_000 }

// Tests of running services mostly wait: for blocks, for time limits, for processes that start and stop.
const workersPerCore = 2

export default defineConfig({
  test: {
    maxWorkers: workersPerCore * availableParallelism(),
    projects: [
      { test: { ...limits, name: 'unit', include: ['packages/*/src/**/*.test.ts'] } },
      runningTests('integration', {
        include: ['test/**/*.test.ts'],
        exclude: [...configDefaults.exclude, 'test/bench.test.ts'],
      }),
      runningTests('quick', { include: ['test/contract/*.test.ts'] }),
      runningTests('exhaustive', { include: ['test/fuzz/edge.test.ts', 'test/maths.test.ts', 'test/bench.test.ts'] }),
    ],
  },
})

/**
 * Describes tests against running chains and services.
 *
 * The files of a worker share its modules, since loading Hardhat, viem and the service anew for each file takes longer
 * than most of their tests. Chains and services that a test changes are its own all the same.
 */
function runningTests(
  name: 'integration' | 'quick' | 'exhaustive',
  files: { readonly include: string[]; readonly exclude?: string[] },
): TestProjectInlineConfiguration {
  return {
    test: {
      ...limits,
      ...files,
      name,
      globalSetup: 'test/stack/globalSetup.ts',
      isolate: false,
      provide: { extent: name },
    },
  }
}
