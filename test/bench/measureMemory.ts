import { measureThroughput } from './measureThroughput.ts'
import { readUsage } from './readUsage.ts'
import type { Sender } from './sender/startSender.ts'
import type { Measured } from './startSubjects.ts'

/** Sends many previews, and looks a number of times on the way how much memory the process then holds. */
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
    await measureThroughput(sender, subject, { requests: subject.load, amount: Math.ceil(previews / steps) })
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

/** Megabytes that are resident, after so many previews. Empty where the system does not tell. */
export type Memory = readonly { readonly previews: number; readonly residentMB: number }[]
