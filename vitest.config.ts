import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// A busy machine is no reason to fail: what is polled comes within a second on a quiet one.
const expect = { poll: { timeout: 10_000 } }

export default defineConfig({
  test: {
    // One would be left idle: by default one core is kept for the runner.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts'],
          expect,
          hookTimeout: 60_000,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          globalSetup: 'test/stack/globalSetup.ts',
          expect,
          hookTimeout: 60_000,
          testTimeout: 30_000,
        },
      },
    ],
  },
})
