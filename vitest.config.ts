import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
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
