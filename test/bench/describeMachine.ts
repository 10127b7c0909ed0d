import { cpus, release, totalmem, type } from 'node:os'
import process from 'node:process'
import { canPin } from './cores.ts'

/** Describes the machine of a run in one sentence. */
export function describeMachine(): string {
  const cores = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const core = canPin ? 'the subject alone on the first core' : 'no process pinned to a core'
  return `${cores[0]?.model ?? 'An unknown processor'}, ${cores.length} cores, ${memory}, ${type()} ${release().split('.', 2).join('.')}, Node ${process.versions.node}; ${core}.`
}
