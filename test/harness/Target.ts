import type { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'

/** A running service to test, and the chains behind it. */
export type Target = {
  readonly name: string
  /** The chain that tests of this service use, unless they compare chains. */
  readonly chainId: Network.ChainId
  readonly url: string
  readonly apiKey: string
  readonly chains: Readonly<Record<Network.ChainId, LocalChain>>
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The services over the local chains, by runtime. */
    runtimes: readonly [Target, ...Target[]]
    /** The columns of the conformance suite: services and the chain of each. */
    targets: readonly [Target, ...Target[]]
    /** The columns that get only the smoke pass of the conformance suite. */
    smokeTargets: readonly Target[]
    /**
     * How much is run: `pnpm test`, one cell of the conformance suite, the smoke pass of the other columns, what only the nightly run
     * has, the trials of minutes, or the packed package.
     */
    extent: 'integration' | 'smoke' | 'nightly' | 'long' | 'package'
    /** The folder of temporary files on disk. */
    diskFolder: string
    /** The folder with the shared files of all tests, which is removed at the end of the run. */
    runFolder: string
    /** The folder of a database that holds only the key of the tests. */
    emptyDatabase: string
  }
}
