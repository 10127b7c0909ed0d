import { setTimeout as wait } from 'node:timers/promises'
import type { ScenarioChain, Scenarios } from './createScenarios.ts'
import { parseScenarioFile, readScenarioFile, type ParsedStep, type ScenarioFile } from './ScenarioFile.ts'

/**
 * Runs the steps of a scenario file at their times. All steps are checked before the first one runs. A step that takes
 * longer than the time to the next step delays it. The faults of the last step stay, unless it is a reset.
 *
 * @param file the path of a file, or its content
 * @returns how many steps have run: fewer than the file has if the signal ended it
 * @throws `Error` with one sentence for an invalid file, and the errors of `run` and `reset` of the scenarios
 *
 * @example
 * await runScenarioFile('faults.json', toScenarioTarget(service.scenarios), { signal })
 */
export async function runScenarioFile(
  file: string | ScenarioFile,
  target: runScenarioFile.Target,
  { signal, onStep }: runScenarioFile.Options = {},
): Promise<number> {
  const content = typeof file === 'string' ? await readScenarioFile(file) : file
  const steps = parseScenarioFile(content, await target.listChains())
  const startedAtMs = performance.now()
  let count = 0
  try {
    for (const step of steps) {
      await wait(Math.max(0, startedAtMs + step.atMs - performance.now()), undefined, signal && { signal })
      await target.run(step.name, step.fields)
      count += 1
      onStep?.(step)
    }
  } catch (error) {
    // A step that is interrupted by the end of its stack may fail in any way.
    if (!signal?.aborted) throw error
  }
  return count
}

export declare namespace runScenarioFile {
  type Options = {
    /** Ends the run before the next step. The faults of earlier steps stay. */
    readonly signal?: AbortSignal | undefined
    /** Receives each step after it has run. */
    readonly onStep?: ((step: ParsedStep) => void) | undefined
  }
  /** The stack that the steps change, in this process or over HTTP. */
  type Target = {
    /** Runs a scenario or `reset` with its options. */
    run(name: ParsedStep['name'], fields: ParsedStep['fields']): Promise<unknown>
    /** Lists the chains of the stack, as `GET /local/scenarios` does. */
    listChains(): readonly ScenarioChain[] | Promise<readonly ScenarioChain[]>
  }
}

/** Returns the scenarios of a stack in this process as the target of scenario files. */
export function toScenarioTarget({ run, reset, listChains }: Scenarios): runScenarioFile.Target {
  return {
    // `run` and `reset` validate the fields.
    run: async (name, fields) => await (name === 'reset' ? reset(fields) : run(name, fields as never)),
    listChains,
  }
}
