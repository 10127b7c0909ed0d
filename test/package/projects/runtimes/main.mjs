// Calls the service, and prints what arrived. It runs on Node.js, Deno and Bun.
import { createAgio, isAgioError } from '@agio/sdk'
import process from 'node:process'

const [, , url, apiKey] = process.argv
const agio = createAgio({ url, apiKey })
const { pools } = await agio.api.pools.list.query({ chainId: 84532 })
const refused = await agio.api.transaction.broadcast.mutate({ signedTransaction: '0x02' }).catch((error) => error)
console.log(JSON.stringify({ pools: pools.length, code: isAgioError(refused) ? refused.code : String(refused) }))
