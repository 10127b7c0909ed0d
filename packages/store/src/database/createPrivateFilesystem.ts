import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { toPrivateMode } from './privateFiles.ts'

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
