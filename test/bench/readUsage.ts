import { readFile } from 'node:fs/promises'
import { listProcesses } from '../server/listProcesses.ts'
import type { Measured } from './startSubjects.ts'

/** The processor time of a process and of those that it has started, since their start, and their current memory. Undefined without /proc. */
export async function readUsage(pid: number): Promise<Usage | undefined> {
  try {
    const usages = await Promise.all(listProcesses(pid).map(readOne))
    return {
      processorMs: usages.reduce((sum, { processorMs }) => sum + processorMs, 0),
      residentMB: usages.reduce((sum, { residentMB }) => sum + residentMB, 0),
    }
  } catch {
    return undefined
  }
}

/**
 * Runs a measurement, and returns its result with the processor time per preview, in microseconds, of a subject's process and those
 * that it has started. The time is undefined without /proc.
 */
export async function measureProcessor<Result extends { readonly count: number }>(
  { pid, previewsPerRequest }: Pick<Measured, 'pid' | 'previewsPerRequest'>,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly processorUs: number | undefined }> {
  const before = await readUsage(pid)
  const result = await run()
  const after = await readUsage(pid)
  const processorMs = before && after && after.processorMs - before.processorMs
  const previews = result.count * previewsPerRequest
  return { result, processorUs: processorMs === undefined ? undefined : (processorMs * 1000) / previews }
}

async function readOne(pid: number): Promise<Usage> {
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
