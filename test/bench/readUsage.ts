import { readFile } from 'node:fs/promises'

/** What a process has used: processor time since its start, and memory now. Undefined where there is no /proc. */
export async function readUsage(pid: number): Promise<Usage | undefined> {
  try {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ])
    // Behind the name, which may hold anything, in ticks of 10 ms.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      processorMs: (Number(fields[11]) + Number(fields[12])) * 10,
      residentMB: Math.round((Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6),
    }
  } catch {
    return undefined
  }
}

type Usage = { readonly processorMs: number; readonly residentMB: number }
