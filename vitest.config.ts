import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // One would be left idle: by default one core is kept for the runner.
    maxWorkers: availableParallelism(),
    projects: [
      { test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], hookTimeout: 60_000, testTimeout: 30_000 } },
      {
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          globalSetup: 'test/stack/globalSetup.ts',
          hookTimeout: 60_000,
          testTimeout: 30_000,
        },
      },
    ],
  },
})
