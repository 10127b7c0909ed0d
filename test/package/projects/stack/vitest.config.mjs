import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['agio.spec.mjs'], globalSetup: 'globalSetup.mjs', fileParallelism: false, testTimeout: 60_000 },
})
