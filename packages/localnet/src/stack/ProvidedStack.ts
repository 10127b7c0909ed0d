import type { StackConnection } from './createStackClient.ts'

/** A stack that the global setup provides to test files, with the snapshot from which each file starts. */
export type ProvidedStack = {
  readonly connection: StackConnection<never>
  readonly snapshotId: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The stacks of `@agio/localnet/vitest/setup`. */
    agioStacks: readonly ProvidedStack[]
  }
}
