// Sends requests from its own process, so that no other work of the benchmark delays them.
import { constants, setPriority } from 'node:os'
import process from 'node:process'
import autocannon from 'autocannon'
import type { Load } from '../createLoads.ts'
import { sendAtRate } from './sendAtRate.ts'

export type Task =
  | { readonly how: 'evenly'; readonly settings: sendAtRate.Settings }
  | { readonly how: 'flatOut'; readonly settings: sendBackToBack.Settings }

/** @property error the reason of a failure */
export type Outcome = { readonly result: unknown } | { readonly error: string }

process.on('message', async (task: Task) => {
  const outcome: Outcome = await run(task).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: String(error) }),
  )
  process.send?.(outcome)
})

async function run({ how, settings }: Task): Promise<unknown> {
  if (how === 'flatOut') return await sendBackToBack(settings)
  // If permitted: the chains on the same core must not delay the sender.
  try {
    setPriority(constants.priority.PRIORITY_HIGH)
  } catch {}
  return await sendAtRate(settings).finally(() => setPriority(constants.priority.PRIORITY_NORMAL))
}

const connections = 32

/** Sends requests over 32 connections, each as soon as the response before it is complete. */
export async function sendBackToBack({ url, requests, ...length }: sendBackToBack.Settings): Promise<Sent> {
  const result = await autocannon({ url, connections, requests: [...requests], ...length })
  const { non2xx: refused, errors: failed, duration: seconds } = result
  return { count: result.requests.total, refused, failed, seconds }
}

export declare namespace sendBackToBack {
  type Settings = { readonly url: string; readonly requests: Load } & (
    | { readonly duration: number }
    | { readonly amount: number }
  )
}

type Sent = { readonly count: number; readonly refused: number; readonly failed: number; readonly seconds: number }
