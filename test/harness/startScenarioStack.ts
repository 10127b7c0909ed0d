import { startLocalService, type Localnet, type LocalService } from '@agio/localnet'
import type { Settings as ServiceSettings } from '@agio/server'
import { expect } from 'vitest'
import type { Caller } from './Caller.ts'
import { createRestCaller } from './createRestCaller.ts'
import { createTrpcCaller } from './createTrpcCaller.ts'
import { adminKey, apiKey, settingsFor } from './settingsFor.ts'

/** Serves local chains as `pnpm start` does, with the keys of the tests. */
export async function startScenarioStack(
  localnet: Localnet,
  { finalityBlocks, ...settings }: startScenarioStack.Settings = {},
): Promise<ScenarioStack> {
  const service = await startLocalService(localnet, { ...settingsFor(localnet, settings), finalityBlocks })
  const { url } = service
  const callers = { REST: createRestCaller({ url, apiKey }), tRPC: createTrpcCaller({ url, apiKey }) }
  const stack: Omit<ScenarioStack, 'recover'> = {
    ...service,
    callers,
    async request(operation, input) {
      const outcomes = await Promise.all(Object.values(callers).map((call) => call(operation, input)))
      expect(JSON.stringify(outcomes)).not.toMatch(leak)
      return outcomes.map(({ status, failure }) => `${status} ${failure?.code ?? 'ok'}`)
    },
  }
  return { ...stack, recover: (operation, input) => recover(stack, operation, input) }
}

export declare namespace startScenarioStack {
  type Settings = Partial<ServiceSettings> & { readonly finalityBlocks?: number | undefined }
}

export type ScenarioStack = LocalService & {
  readonly callers: Readonly<Record<'REST' | 'tRPC', Caller>>
  /** Calls an operation over REST and over tRPC, and returns status and code of each. Asserts that neither leaks internals. */
  request(...call: Parameters<Caller>): Promise<readonly string[]>
  /** Resets, and waits until an operation succeeds. */
  recover(...call: Parameters<Caller>): Promise<void>
}

const leak = new RegExp(
  `127\\.0\\.0\\.1|localhost|https?:|node_modules|\\.[jt]s:\\d|\\\\n\\s+at |${apiKey}|${adminKey}`,
)

async function recover(
  { scenarios, request }: Pick<ScenarioStack, 'scenarios' | 'request'>,
  ...call: Parameters<Caller>
): Promise<void> {
  await scenarios.reset()
  await expect.poll(() => request(...call)).toEqual(['200 ok', '200 ok'])
}
