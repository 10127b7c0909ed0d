import type { Scenarios } from '../scenarios/createScenarios.ts'
import { runScenarioFile, toScenarioTarget } from '../scenarios/runScenarioFile.ts'
import type { ScenarioFile } from '../scenarios/ScenarioFile.ts'

/** The scenarios of a stack, also from files. */
export type StackScenarios = Scenarios & {
  /**
   * Runs the steps of a scenario file at their times, and returns how many have run. All steps are checked first. The end
   * of the stack ends it.
   *
   * @param file the path of a file of JSON, TypeScript or JavaScript, or its content
   * @throws `Error` with one sentence for an invalid file, and the errors of `run` and `reset`
   *
   * @example
   * await agio.scenarios.play('faults.json', { signal })
   */
  play(file: string | ScenarioFile, options?: runScenarioFile.Options): Promise<number>
}

/** Creates the function `play` of a stack. Disposing it ends the files that are playing. */
export function createPlays(scenarios: Scenarios): Pick<StackScenarios, 'play'> & AsyncDisposable {
  const stopping = new AbortController()
  const playing = new Set<Promise<number>>()
  return {
    play(file, { signal, ...options } = {}) {
      const signals = signal ? [signal, stopping.signal] : [stopping.signal]
      const play = runScenarioFile(file, toScenarioTarget(scenarios), { ...options, signal: AbortSignal.any(signals) })
      playing.add(play)
      return play.finally(() => playing.delete(play))
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.allSettled(playing)
    },
  }
}
