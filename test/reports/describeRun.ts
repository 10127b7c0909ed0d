import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'
import process from 'node:process'

const root = new URL('../..', import.meta.url)

/** Returns the machine of a run: its processor, memory, system and Node. */
export function describeMachine(): string {
  const cores = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const system = `${type()} ${release().split('.', 2).join('.')}`
  return `${cores[0]?.model ?? 'unknown processor'}, ${cores.length} cores, ${memory}, ${system}, Node ${process.versions.node}`
}

/**
 * Returns the commit of a run as a report cites it: a commit of the main branch, with `after` if the code of the run
 * has changes that are not in that commit. A commit of another branch may get another hash when it lands.
 */
export function describeCommit(): string {
  const head = git('rev-parse', 'HEAD')
  const landed = ['origin/main', 'main'].flatMap((branch) => git('merge-base', 'HEAD', branch) ?? [])[0] ?? head
  if (landed === undefined) return 'unknown'
  const isChanged = landed !== head || git('status', '--porcelain', '--', '.', ':!docs/reports') !== ''
  return `${isChanged ? 'after ' : ''}${landed.slice(0, 10)}`
}

/** Returns the output of a git command, or undefined if it fails, for example without a repository. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
