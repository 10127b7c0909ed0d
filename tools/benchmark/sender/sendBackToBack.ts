import autocannon from 'autocannon'
import type { Load } from '../Load.ts'

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
