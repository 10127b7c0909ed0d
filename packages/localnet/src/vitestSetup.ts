// `@agio/localnet/vitest/setup`: the global setup of vitest.
import type { Network } from '@agio/core'
import type { TestProject } from 'vitest/node'
import { startAgio, type AgioStack } from './stack/startAgio.ts'
import type { ProvidedStack } from './stack/ProvidedStack.ts'

/**
 * Creates a global setup of vitest that starts a stack for the run. Each test file starts from the state after the start. So
 * at most as many files run at a time as there are stacks.
 *
 * @param options the options of `startAgio`, and the number of stacks
 *
 * @example
 * // globalSetup.ts
 * export const setup = setupAgio({ chains: [84532] })
 */
export function setupAgio<Id extends Network.ChainId = Network.ChainId>({
  stacks = 1,
  ...options
}: setupAgio.Options<Id> = {}): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    assertVersion(project)
    assertEnough(stacks, project)
    await using starting = new AsyncDisposableStack()
    const provided: ProvidedStack[] = []
    while (provided.length < stacks) provided.push(await provide(starting.use(await startAgio(options))))
    project.provide('agioStacks', provided)
    const running = starting.move()
    return () => running.disposeAsync()
  }
}

export declare namespace setupAgio {
  type Options<Id extends Network.ChainId> = Omit<startAgio.Options<Id>, 'localnet' | 'port' | 'rpcPort'> & {
    /** The number of stacks: of test files that run at a time. Default: 1. */
    readonly stacks?: number | undefined
  }
}

/** The global setup of vitest with one stack of all chains. */
export const setup = setupAgio()

/** Asserts that fixtures can have the scope of a file. @throws `Error` for vitest 3.1 and older */
function assertVersion({ vitest: { version } }: TestProject): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 3 || (major === 3 && minor >= 2)) return
  const alternative = 'or start the stack with startAgio of @agio/localnet'
  throw new Error(
    `@agio/localnet/vitest needs vitest 3.2 or newer, and this is ${version}. Upgrade vitest, ${alternative}`,
  )
}

function assertEnough(stacks: number, { config: { maxWorkers } }: TestProject): void {
  if (maxWorkers <= stacks) return
  const change = 'Set fileParallelism to false in the config of vitest'
  const alternative = `or maxWorkers and the option stacks of setupAgio to the same number (now ${maxWorkers} and ${stacks})`
  throw new Error(
    `Cannot share ${stacks} stack between test files that run at the same time. ${change}, ${alternative}`,
  )
}

async function provide({ url, apiKey, adminKey, chains, snapshot }: AgioStack<never>): Promise<ProvidedStack> {
  return { connection: { url, apiKey, adminKey, chains }, snapshotId: (await snapshot()).id }
}
