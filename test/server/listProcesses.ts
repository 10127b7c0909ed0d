import { readFileSync } from 'node:fs'

/** The ids of a process and of the processes that it has started, where the system lists them. */
export function listProcesses(pid: number): readonly number[] {
  try {
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return [pid, ...started.filter((text) => text !== '').map(Number)]
  } catch {
    return [pid]
  }
}
