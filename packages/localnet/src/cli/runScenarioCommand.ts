import { toUrl } from '@agio/server'
import { formatScenarios } from './formatScenarios.ts'
import { localAdminKey } from './localAdminKey.ts'
import { parseScenarioCommand, type ScenarioCommand } from './parseScenarioCommand.ts'
import { readAddress } from './readAddress.ts'

/**
 * Runs one command of `pnpm scenario` against a running `pnpm start`.
 *
 * @returns what to show
 * @throws `Error` in one sentence: what is wrong with the command, or what the service refuses
 */
export async function runScenarioCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const command = parseScenarioCommand(args)
  if (!command) return formatScenarios()
  const url = toUrl(readAddress(environment))
  const answer = await post(url, command)
  if (!answer.success) throw new Error(answer.error)
  return formatDone(answer.data)
}

type Answer = { readonly success: true; readonly data: Done } | { readonly success: false; readonly error: string }

type Done = { readonly scenario: string } & (Seen | { readonly chains: readonly Seen[] })

type Seen = { readonly chainId: number; readonly blockNumber: number; readonly codes?: readonly string[] }

async function post(url: string, { name, fields }: ScenarioCommand): Promise<Answer> {
  const response = await fetch(`${url}/local/scenarios/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-key': localAdminKey },
    body: JSON.stringify(fields),
  }).catch((cause: unknown) => {
    throw new Error(`Cannot run a scenario: no service answers at ${url} (pnpm start starts one)`, { cause })
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (isAnswer(answer)) return answer
  throw new Error(`Cannot run a scenario: what answers at ${url} is not the service (PORT and HOST say where it is)`)
}

/** Whether it is in the service's envelope; a node answers as well, if its port is taken for the service's. */
function isAnswer(answer: unknown): answer is Answer {
  if (typeof answer !== 'object' || answer === null || !('success' in answer)) return false
  return answer.success === true ? 'data' in answer : 'error' in answer && typeof answer.error === 'string'
}

function formatDone(done: Done): string {
  const seen = 'chains' in done ? done.chains : [done]
  const blocks = seen.map(({ chainId, blockNumber }) => `chain ${chainId} as of block ${blockNumber}`).join(', ')
  const codes = seen.flatMap((chain) => chain.codes ?? [])
  return `${done.scenario}: ${blocks}${codes.length === 0 ? '' : `; callers get ${codes.join(', ')}`}`
}
