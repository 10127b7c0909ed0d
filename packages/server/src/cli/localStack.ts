import type { Network } from '@agio/core'
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A running `agio dev`, as its file describes it to the other commands. */
export type LocalStack = {
  readonly name: string
  readonly pid: number
  /** When the stack was registered, ISO 8601. */
  readonly startedAt: string
  /** The checkout whose folder `.local` the stack uses; absent if its data is temporary. */
  readonly checkout?: string | undefined
  /** The node of each local chain. */
  readonly rpcUrls: Readonly<Record<Network.ChainId, string>>
  /** The contracts of each local chain, which conversions may call and approve. */
  readonly contracts: Readonly<Record<Network.ChainId, LocalContracts>>
  /** The service on these chains; absent without a service. */
  readonly service?: { readonly url: string; readonly apiKey: string; readonly adminKey: string }
}

type LocalContracts = {
  readonly router: string
  readonly factory?: string | undefined
  readonly pools: readonly string[]
}

const defaultName = 'default'

/** Returns the folder of the files of one user's local stacks, each `<name>.json`. */
export function toStacksFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment['XDG_STATE_HOME'] || join(findHome(), '.local/state'), 'agio/stacks')
}

/** Returns the home of the user. A user without an entry in the system, as in many containers, has the root folder. */
function findHome(): string {
  try {
    return homedir()
  } catch {
    return '/'
  }
}

/**
 * Returns the running local stack with a name. Without a name, returns the stack named `default`, or else the newest one.
 * Ignores the files of processes that have ended.
 */
export async function findLocalStack(name?: string, folder = toStacksFolder()): Promise<LocalStack | undefined> {
  if (name !== undefined) return isStackName(name) ? await readStack(join(folder, `${name}.json`)) : undefined
  const stacks = await listLocalStacks(folder)
  return stacks.find((stack) => stack.name === defaultName) ?? stacks.at(-1)
}

/** Lists the running local stacks, the newest last. */
export async function listLocalStacks(folder = toStacksFolder()): Promise<readonly LocalStack[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.json'))
  const stacks = await Promise.all(files.map((file) => readStack(join(folder, file))))
  return stacks
    .filter((stack) => stack !== undefined)
    .sort((left, right) => (left.startedAt < right.startedAt ? -1 : 1))
}

async function readStack(file: string): Promise<LocalStack | undefined> {
  try {
    const stack = JSON.parse(await readFile(file, 'utf8')) as LocalStack
    // Signal 0 only checks that the process exists; pids below 1 address groups of processes.
    return Number.isInteger(stack.pid) && stack.pid > 0 && process.kill(stack.pid, 0) ? stack : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes the file of a local stack, readable only by its owner. Without a name, the stack takes `default`, or `default-2` and so
 * on while other stacks run.
 *
 * @returns the name, and a disposable that removes the file
 * @throws `Error` if a running stack has the name
 */
export async function registerLocalStack(
  { name, ...stack }: registerLocalStack.Stack,
  folder = toStacksFolder(),
): Promise<RegisteredStack> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (name !== undefined) {
    const registered = await claim(name, { stack, folder })
    if (registered) return registered
    const pid = (await findLocalStack(name, folder))?.pid
    throw new Error(`Cannot start: process ${pid} runs a local stack named '${name}'. Pass another --name`)
  }
  for (let count = 1; ; count++) {
    const registered = await claim(count === 1 ? defaultName : `${defaultName}-${count}`, { stack, folder })
    if (registered) return registered
  }
}

export declare namespace registerLocalStack {
  type Stack = Omit<LocalStack, 'name' | 'pid' | 'startedAt'> & { readonly name?: string | undefined }
}

/** A registered stack. Disposing it removes its file. */
export type RegisteredStack = AsyncDisposable & { readonly name: string }

type Claim = { readonly stack: Omit<registerLocalStack.Stack, 'name'>; readonly folder: string }

/** Takes a name. Returns undefined if a running stack has it. */
async function claim(name: string, { stack, folder }: Claim): Promise<RegisteredStack | undefined> {
  const { pid } = process
  const file = join(folder, `${name}.json`)
  // Linked into place: a reader never sees half a file, and one of two stacks with the same name fails.
  const draft = `${file}.${crypto.randomUUID()}.tmp`
  const text = JSON.stringify({ name, pid, startedAt: new Date().toISOString(), ...stack }, undefined, 2)
  await writeFile(draft, `${text}\n`, { mode: 0o600 })
  try {
    if ((await readStack(file)) === undefined) await rm(file, { force: true })
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return undefined
  } finally {
    await rm(draft)
  }
  return {
    name,
    async [Symbol.asyncDispose]() {
      if ((await readStack(file))?.pid === pid) await rm(file)
    },
  }
}

/** Returns whether a text can name a stack, and with it a file. */
export function isStackName(name: string): boolean {
  return /^[a-z0-9][\w-]{0,39}$/i.test(name)
}
