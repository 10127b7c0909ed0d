import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Network } from '@agio/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  parseOperations,
  quoteForShell,
  toCurl,
  type OpenApiDocument,
} from '../../packages/console/src/build/describeCall.ts'
import { partOf } from '../harness/partOf.ts'
import { validInputs } from '../harness/validInputs.ts'
import { runOrThrow } from '../package/run.ts'
import { countRuns, randomSeed } from '../harness/randomSeed.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, chains } = target
const seed = randomSeed('commands of curl')
const shells = ['sh', 'bash']
const operations = parseOperations(await readDocument())

describe.each(partOf(shells))('a command of curl that the console shows, in %s', (shell) => {
  it.each(Object.entries(validInputs(chains[Network.defaultChainId])))(
    'makes a call of %s',
    async (procedure, input) => {
      const answer = await runCall({ procedure, input }, shell)
      expect(answer).toMatchObject({ success: true, data: expect.any(Object) as object })
    },
  )

  it('makes a call of an operator with the admin key', async () => {
    const application = { name: "Bob's $HOME", email: 'bob@shop.example', useCase: '`id` "x" \\', expectedVolume: '!!' }
    const created = await runCall({ procedure: 'admin.keys.create', input: application }, shell)
    expect(created).toMatchObject({ success: true, data: application })
    const { id } = created.data as { id: string }
    expect(await runCall({ procedure: 'admin.keys.rotate', input: { id, overlapSeconds: 0 } }, shell)).toMatchObject({
      data: { id },
    })
    expect(await runCall({ procedure: 'admin.keys.revoke', input: { id } }, shell)).toMatchObject({ data: { id } })
    expect(await runCall({ procedure: 'admin.stats', input: {} }, shell)).toMatchObject({ success: true })
  })

  it('gets the prices of all networks, and of one', async () => {
    for (const input of [{}, { chainId: Network.chainIds[1] }]) {
      expect(await runCall({ procedure: 'oracle.prices', input }, shell)).toMatchObject({ success: true })
    }
  })

  it('a word passes any text on unchanged', async () => {
    const words = fc.array(fc.string({ unit: 'binary' }).map(withoutNul), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(words, async (texts) => {
        const script = `printf '%s\\0' ${texts.map(quoteForShell).join(' ')}`
        expect((await runOrThrow(shell, ['-c', script], { cwd: '.' })).split('\0').slice(0, -1)).toEqual(texts)
      }),
      { seed, numRuns: countRuns(30) },
    )
  })
})

describe('a command of curl with any input', () => {
  const received: Received[] = []
  const server = createServer((request, response) => void receive(request).finally(() => response.end()))
  let origin: string

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterAll(() => {
    server.close()
  })

  const inputs = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }))

  it('sends that input as the body of a POST', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const { body, headers } = await send('convert.quote', input)
        expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(input)))
        expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-api-key': apiKey })
      }),
      { seed, numRuns: countRuns(60) },
    )
  })

  it('sends that input as the path and the query of a GET', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((each) => !/^\.{1,2}$/.test(each))
    const fields = fc.record({ poolAddress: text, chainId: fc.integer(), other: text })
    await fc.assert(
      fc.asyncProperty(fields, async (input) => {
        const { pathname, searchParams } = new URL((await send('pools.get', input)).url, origin)
        expect(decodeURIComponent(pathname.split('/').at(-1) ?? '')).toBe(input.poolAddress)
        expect([...searchParams]).toEqual([
          ['chainId', String(input.chainId)],
          ['other', input.other],
        ])
      }),
      { seed, numRuns: countRuns(60) },
    )
  })

  async function receive(request: IncomingMessage): Promise<void> {
    received.push({ url: request.url ?? '', headers: request.headers, body: await text(request) })
  }

  async function send(procedure: string, input: unknown): Promise<Received> {
    await runScript(toCurl({ procedure, input }, { url: origin, operations }), 'sh')
    return received.pop() as Received
  }
})

type Received = { readonly url: string; readonly headers: object; readonly body: string }

type Answer = { readonly success: boolean; readonly data: unknown }

async function runCall(call: toCurl.Call, shell: string): Promise<Answer> {
  return JSON.parse(await runScript(toCurl(call, { url, operations }), shell)) as Answer
}

async function runScript(script: string | undefined, shell: string): Promise<string> {
  expect(script).not.toMatch(new RegExp(`${apiKey}|${adminKey}`))
  const env = { AGIO_API_KEY: apiKey, AGIO_ADMIN_KEY: adminKey }
  return await runOrThrow(shell, ['-c', script ?? ''], { cwd: '.', env })
}

async function readDocument(): Promise<OpenApiDocument> {
  return JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument
}

function withoutNul(each: string): string {
  return each.replaceAll('\0', '')
}
