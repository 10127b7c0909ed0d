import { execFileSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'

const pauseMs = 6_000
const longestGapMs = 60_000

// Databases of their own pause on no machine that runs the tests: a server elsewhere answers while the machine stands still.
const servers = /^(postgres|redis-server)/

/** Pauses a process and all that it has started, except databases, for six seconds at random moments. Returns the number of pauses. */
export async function pauseAtRandom(root: ChildProcess, ended: Promise<unknown>, seed: string): Promise<number> {
  const abort = new AbortController()
  void ended.then(() => abort.abort())
  for (let count = 0; ; count += 1) {
    const gapMs = toFraction(`${seed} ${count}`) * longestGapMs
    try {
      await setTimeout(gapMs, undefined, { signal: abort.signal })
    } catch {
      return count
    }
    const pids = listDescendants(root.pid ?? 0)
    sendAll(pids, 'SIGSTOP')
    await setTimeout(pauseMs)
    sendAll(pids, 'SIGCONT')
  }
}

function toFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

/** The process and what it has started, parents first, without databases. */
function listDescendants(root: number): readonly number[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line))
    .map((match) => ({ pid: Number(match?.[1]), parent: Number(match?.[2]), name: match?.[3] ?? '' }))
    .filter(({ name }) => !servers.test(name))
  const found = [root]
  for (const pid of found) found.push(...processes.filter(({ parent }) => parent === pid).map((child) => child.pid))
  return found
}

function sendAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}
