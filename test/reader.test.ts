import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { validInputs } from './contract/validInputs.ts'
import { connectOwner } from './stack/connectOwner.ts'
import { startProxy, type Answer, type Proxy } from './stack/startProxy.ts'
import { startStack, type Stack } from './stack/startStack.ts'

let proxy: Proxy
let stack: Stack
const folder = await mkdtemp(join(tmpdir(), 'agio-test-'))
beforeAll(async () => {
  stack = await startStack(async ({ chains, deploymentsDir }) => {
    for (const chain of Object.values(chains)) {
      const file = `${chain.chainId}.json`
      const deployment = JSON.parse(await readFile(join(deploymentsDir, file), 'utf8')) as object
      const reader = await connectOwner(chain).deploy('Reader', [])
      await writeFile(join(folder, file), JSON.stringify({ ...deployment, reader }))
    }
    proxy = await startProxy(chains[84532].rpcUrl)
    proxy.setAnswer(refuseOverrides)
    return { deploymentsDir: folder, rpcUrls: { 84532: [proxy.url], 421614: [chains[421614].rpcUrl] } }
  })
})
afterAll(async () => {
  await stack[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

it('with a deployed reader, every operation works on a node that refuses state overrides', async () => {
  const inputs = validInputs(stack.localnet.chains[84532])
  for (const [operation, input] of Object.entries(inputs)) {
    expect(await stack.callers.REST(operation, input), operation).toMatchObject({ status: 200 })
  }
})

it('a conversion that such a node cannot estimate before its approval is built with an upper bound, which is named', async () => {
  const input = validInputs(stack.localnet.chains[84532])['transaction.buildConvert']
  const built = await stack.callers.REST('transaction.buildConvert', input)
  expect(built.data).toMatchObject({
    gasEstimateSource: 'upper-bound',
    issues: [{ code: 'svc/insufficient-allowance' }, {}],
  })
})

/** Answers like a node whose `eth_call` and `eth_estimateGas` take no state overrides. */
const refuseOverrides: Answer = async ({ body }, response, askNode) => {
  const calls = [JSON.parse(body) as Call | Call[]].flat()
  const overriding = calls.filter(({ method, params = [] }) => overridable.has(method) && params.length > 2)
  const refused = new Map(overriding.map(({ id }) => [id, { code: -32602, message: 'too many arguments' }]))
  const answered = [JSON.parse(await askNode()) as Reply | Reply[]].flat()
  const replies = answered.map(({ id, ...reply }) => {
    const error = refused.get(id)
    return error ? { jsonrpc: '2.0', id, error } : { id, ...reply }
  })
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body.startsWith('[') ? replies : replies[0]))
}

const overridable = new Set(['eth_call', 'eth_estimateGas'])

type Call = { readonly id: number; readonly method: string; readonly params?: readonly unknown[] }

type Reply = { readonly id: number }
