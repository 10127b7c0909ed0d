import type { Localnet } from '@agio/localnet'
import { startServer } from '@agio/server'
import type { Caller } from './Caller.ts'
import { createRestCaller } from './createRestCaller.ts'
import { createTrpcCaller } from './createTrpcCaller.ts'
import { apiKey, settingsFor, type SettingsChanges } from './settingsFor.ts'
import { startTestLocalnet } from './startTestLocalnet.ts'

/**
 * Starts two local chains and a service of a test's own, so that it may do to them what others must not see.
 *
 * Blocks come with transactions only.
 *
 * @param configure changes the chains before the service starts, and returns its settings
 */
export async function startStack(configure: startStack.Configure = () => ({})): Promise<Stack> {
  await using starting = new AsyncDisposableStack()
  const localnet = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const { url, stop } = await startServer(settingsFor(localnet, await configure(localnet)))
  starting.defer(() => stop())
  const running = starting.move()
  const callers = { REST: createRestCaller({ url, apiKey }), tRPC: createTrpcCaller({ url, apiKey }) }
  return { localnet, url, callers, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export declare namespace startStack {
  type Configure = (localnet: Localnet) => SettingsChanges | Promise<SettingsChanges>
}

export type Stack = AsyncDisposable & {
  readonly localnet: Localnet
  /** Where the service answers. */
  readonly url: string
  readonly callers: Readonly<Record<'REST' | 'tRPC', Caller>>
}
