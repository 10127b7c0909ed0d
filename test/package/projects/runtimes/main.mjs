// Converts by a wallet that a development node has, and prints the receipt. It runs on Node.js, Deno and Bun, without viem.
import { createAgio, isAgioError } from '@agio/sdk'
import process from 'node:process'

const { url, apiKey, rpcUrl, account, terms } = JSON.parse(process.argv[2])

const wallet = {
  async request({ method, params = [] }) {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [account]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = await response.json()
    if (error) throw error
    return result
  },
}

const agio = createAgio({ url, apiKey, contracts: 'service' })
const refused = await agio.api.transaction.broadcast.mutate({ signedTransaction: '0x02' }).catch((error) => error)
const quote = await agio.quote(terms)
const kinds = []
const conversion = agio.convert({ quote, wallet })
for await (const { kind, status } of conversion) if (status === 'done') kinds.push(kind)
const { status, amountIn } = await conversion
console.log(JSON.stringify({ kinds, status, amountIn, code: isAgioError(refused) ? refused.code : String(refused) }))
