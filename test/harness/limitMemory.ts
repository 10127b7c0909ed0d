import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// Version 1 of cgroups has a folder for each controller.
const version1 = '/sys/fs/cgroup/memory'
const names = existsSync(version1)
  ? { root: version1, limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' }
  : { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' }

/** Creates a cgroup whose processes have limited memory. It needs the rights of root. */
export async function limitMemory(bytes: number) {
  const path = join(names.root, `agio-${crypto.randomUUID()}`)
  await mkdir(path)
  await writeFile(join(path, names.limit), String(bytes))
  const enter = `import { writeFileSync } from 'node:fs'; writeFileSync('${path}/cgroup.procs', String(process.pid))`
  return {
    /** Environment variables with which a process of Node joins the cgroup at its start. */
    variables: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(enter)}` },
    /** Reads the most memory that the processes had at once. */
    readPeakBytes: async () => Number(await readFile(join(path, names.peak), 'utf8')),
    [Symbol.asyncDispose]: () => rmdir(path),
  }
}

/** Whether `limitMemory` works for this user. */
export function canLimitMemory(): boolean {
  try {
    accessSync(names.root, constants.W_OK)
    return existsSync(join(names.root, version1 === names.root ? names.limit : 'cgroup.controllers'))
  } catch {
    return false
  }
}
