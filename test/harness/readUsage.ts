import { readFile } from 'node:fs/promises'

/** Returns the processor time of a process since its start, and its current memory. It needs the /proc of Linux. */
export async function readUsage(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all(['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')))
  // After the name, which may contain any character; in ticks of 10 ms.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return {
    processorMs: (Number(fields[11]) + Number(fields[12])) * 10,
    residentMB: Math.round((Number(/^VmRSS:\s+(\d+)/m.exec(status ?? '')?.[1]) * 1024) / 1e6),
  }
}

type Usage = { readonly processorMs: number; readonly residentMB: number }
