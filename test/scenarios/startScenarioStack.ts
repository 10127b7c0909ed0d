import { startLocalService, type Localnet, type LocalService } from '@agio/localnet'
import type { Settings } from '@agio/server'
import { expect } from 'vitest'
import type { Caller } from '../contract/Caller.ts'
import { createRestCaller } from '../contract/createRestCaller.ts'
import { createTrpcCaller } from '../contract/createTrpcCaller.ts'
import { adminKey, apiKey, settingsFor } from '../stack/settingsFor.ts'

/** Serves local chains as `pnpm start` does, with the keys of the tests. */
export async function startScenarioStack(localnet: Localnet, settings: Partial<Settings> = {}): Promise<ScenarioStack> {
  const service = await startLocalService(localnet, settingsFor(localnet, settings))
  const { url } = service
  const callers = { REST: createRestCaller({ url, apiKey }), tRPC: createTrpcCaller({ url, apiKey }) }
  const stack: Omit<ScenarioStack, 'recover'> = {
    ...service,
    callers,
    async ask(operation, input) {
      const outcomes = await Promise.all(Object.values(callers).map((call) => call(operation, input)))
      expect(JSON.stringify(outcomes)).not.toMatch(leak)
      return outcomes.map(({ status, failure }) => `${status} ${failure?.code ?? 'ok'}`)
    },
  }
  return { ...stack, recover: (operation, input) => recover(stack, operation, input) }
}

export type ScenarioStack = LocalService & {
  readonly callers: Readonly<Record<'REST' | 'tRPC', Caller>>
  /** What an operation comes to over REST and over tRPC: status and code. Nothing of it tells what is nobody's business. */
  ask(...call: Parameters<Caller>): Promise<readonly string[]>
  /** Resets, and waits until an operation succeeds: five seconds after the reset was asked for, at the latest. */
  recover(...call: Parameters<Caller>): Promise<void>
}

const leak = new RegExp(
  `127\\.0\\.0\\.1|localhost|https?:|node_modules|\\.[jt]s:\\d|\\\\n\\s+at |${apiKey}|${adminKey}`,
)

async function recover(
  { scenarios, ask }: Pick<ScenarioStack, 'scenarios' | 'ask'>,
  ...call: Parameters<Caller>
): Promise<void> {
  const startedAtMs = performance.now()
  await scenarios.reset()
  const left = 5000 - (performance.now() - startedAtMs)
  await expect.poll(() => ask(...call), { timeout: left, interval: 50 }).toEqual(['200 ok', '200 ok'])
  expect(performance.now() - startedAtMs).toBeLessThan(5000)
}
