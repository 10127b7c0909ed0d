import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

const sharedBits = 0o077
const stickyBit = 0o1000

/**
 * Creates a folder that only this user can use, unless it exists. New parent folders get the default modes of the
 * process.
 */
export async function createPrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT') throw error
    // Parents are created only if needed: this process may not be allowed to write to them.
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o700)
  }
}

/** Removes the access of other users from a folder and everything in it, unless the folder is private already. */
export async function makeTreePrivate(folder: string): Promise<void> {
  if (!(await isShared(folder))) return
  await restrictTree(folder)
  // Last, so that an interrupted pass is repeated.
  await changeMode(folder, 0o700)
}

/** Removes the access of other users from everything in a folder. */
export async function restrictTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const mode = entry.isDirectory() ? 0o700 : 0o600
    if (entry.isDirectory() || entry.isFile()) await changeMode(join(entry.parentPath, entry.name), mode)
  }
}

/**
 * Removes the access of other users from a folder if it holds only the named entries. A shared folder such as `/tmp`
 * therefore keeps its mode.
 */
export async function makeFolderPrivate(folder: string, entries: readonly string[]): Promise<void> {
  const isExclusive = (await readdir(folder)).every((entry) => entries.includes(entry))
  if (isExclusive && (await isShared(folder))) await changeMode(folder, 0o700)
}

/** Returns a file mode without the access of other users. */
function toPrivateMode(mode: number): number {
  return mode & ~sharedBits
}

async function isShared(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  return (mode & sharedBits) !== 0 && (mode & stickyBit) === 0
}

// Files of another user, for example on a volume, keep their modes.
async function changeMode(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  })
}

/**
 * Creates the file system of an embedded database in a folder. The engine creates most files with mode 666 and ignores
 * the umask of the process. This file system creates every file and folder without access for other users.
 */
export function createPrivateFilesystem(folder: string): NodeFS {
  const filesystem = new NodeFS(folder)
  const init = filesystem.init.bind(filesystem)
  filesystem.init = async (engine: PGlite, options: EngineOptions) => {
    const { emscriptenOpts } = await init(engine, options)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [restrictModes, ...(emscriptenOpts.preRun ?? [])] } }
  }
  return filesystem
}

type EngineOptions = Parameters<NodeFS['init']>[1]

/** The functions of Emscripten's file system that set modes. */
type NodeOperations = {
  mknod(...parameters: [parent: unknown, name: string, mode: number, device: unknown]): unknown
  setattr(node: unknown, attributes: { readonly mode?: number }): void
}

function restrictModes(engine: object): void {
  const { NODEFS } = engine as { readonly NODEFS: { readonly node_ops: NodeOperations } }
  const { mknod, setattr } = NODEFS.node_ops
  NODEFS.node_ops.mknod = (...[parent, name, mode, device]) => mknod(parent, name, toPrivateMode(mode), device)
  NODEFS.node_ops.setattr = (node, attributes) => {
    const { mode } = attributes
    setattr(node, mode === undefined || mode === null ? attributes : { ...attributes, mode: toPrivateMode(mode) })
  }
}
