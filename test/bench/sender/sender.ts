// Sends what it is told to, in a process of its own: what else the benchmark does must not hold it up.
import { constants, setPriority } from 'node:os'
import process from 'node:process'
import { sendEvenly } from './sendEvenly.ts'
import { sendFlatOut } from './sendFlatOut.ts'

export type Task =
  | { readonly how: 'evenly'; readonly settings: sendEvenly.Settings }
  | { readonly how: 'flatOut'; readonly settings: sendFlatOut.Settings }

/** @property error why it could not be sent */
export type Outcome = { readonly result: unknown } | { readonly error: string }

process.on('message', async (task: Task) => {
  const outcome: Outcome = await run(task).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: String(error) }),
  )
  process.send?.(outcome)
})

async function run({ how, settings }: Task): Promise<unknown> {
  if (how === 'flatOut') return await sendFlatOut(settings)
  // Where that is allowed: the chains on the same core must not make what is measured look late.
  try {
    setPriority(constants.priority.PRIORITY_HIGH)
  } catch {}
  return await sendEvenly(settings).finally(() => setPriority(constants.priority.PRIORITY_NORMAL))
}
