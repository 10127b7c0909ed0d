import { readFile } from 'node:fs/promises'

/** Returns the processor time of a process since its start, and its current memory. Undefined without /proc. */
export async function readUsage(pid: number): Promise<Usage | undefined> {
  try {
    return await readProc(pid)
  } catch {
    return undefined
  }
}

async function readProc(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ])
  // After the name, which may contain any character; in ticks of 10 ms.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    processorMs: (Number(fields[11]) + Number(fields[12])) * 10,
    residentMB: Math.round((Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6),
  }
}

type Usage = { readonly processorMs: number; readonly residentMB: number }
