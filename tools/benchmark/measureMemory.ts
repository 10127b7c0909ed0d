import { measureThroughput } from './measureThroughput.ts'
import { readUsage } from '../../test/harness/readUsage.ts'
import type { Sender } from './sender/startSender.ts'
import type { Measured } from './startSubjects.ts'

/** Measures the resident memory of a process at regular intervals while it serves previews. */
export async function measureMemory(
  sender: Sender,
  subject: Measured,
  { previews, steps, onProgress }: measureMemory.Settings,
): Promise<Memory> {
  const samples: { previews: number; residentMB: number }[] = []
  const sample = async (count: number) => {
    const usage = await readUsage(subject.pid)
    if (usage) samples.push({ previews: count, residentMB: usage.residentMB })
  }
  await sample(0)
  for (let step = 1; step <= steps; step++) {
    await measureThroughput(sender, subject, {
      requests: subject.load,
      amount: Math.ceil(previews / steps / subject.previewsPerRequest),
    })
    await sample((previews / steps) * step)
    onProgress(
      `${subject.name}: memory after ${(previews / steps) * step} previews: ${samples.at(-1)?.residentMB ?? 'unknown'} MB`,
    )
  }
  return samples
}

export declare namespace measureMemory {
  type Settings = {
    readonly previews: number
    readonly steps: number
    readonly onProgress: (message: string) => void
  }
}

/** Resident megabytes by number of previews. Empty on a system without /proc. */
export type Memory = readonly { readonly previews: number; readonly residentMB: number }[]
