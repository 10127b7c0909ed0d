import type { Network } from '@agio/core'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'

/** A running `pnpm start` or `pnpm localnet`, as `.local/stack.json` describes it to the other commands. */
export type LocalStack = {
  readonly pid: number
  /** The node of each local chain. */
  readonly rpcUrls: Readonly<Record<Network.ChainId, string>>
  /** The service on these chains; absent under `pnpm localnet`. */
  readonly service?: { readonly url: string; readonly adminKey: string }
}

const stackFile = join(import.meta.dirname, '../../../../.local/stack.json')

/**
 * Returns the running local stack, or undefined if no stack is running. Ignores the file of a process that has ended.
 */
export async function findLocalStack(file = stackFile): Promise<LocalStack | undefined> {
  try {
    const stack = JSON.parse(await readFile(file, 'utf8')) as LocalStack
    // Signal 0 only checks that the process exists; pids below 1 address groups of processes.
    return Number.isInteger(stack.pid) && stack.pid > 0 && process.kill(stack.pid, 0) ? stack : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes the file of the local stack, readable only by its owner. Replaces an earlier file.
 *
 * @returns a disposable that removes the file, unless another process has replaced it
 */
export async function registerLocalStack(stack: Omit<LocalStack, 'pid'>, file = stackFile): Promise<AsyncDisposable> {
  const { pid } = process
  await mkdir(dirname(file), { recursive: true })
  // Renamed into place: a reader never sees half a file, and the mode of an earlier file does not remain.
  const draft = `${file}.${pid}.tmp`
  await writeFile(draft, `${JSON.stringify({ pid, ...stack }, undefined, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
  return {
    async [Symbol.asyncDispose]() {
      if ((await findLocalStack(file))?.pid === pid) await rm(file)
    },
  }
}
