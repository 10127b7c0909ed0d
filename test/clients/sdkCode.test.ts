import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { runInNewContext } from 'node:vm'
import { appRouter } from '@agio/api'
import { Network } from '@agio/core'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { formatLiteral, toSdkCode } from '../../packages/console/src/build/describeCall.ts'
import { validInputs } from '../harness/validInputs.ts'
import { runOrThrow } from '../package/run.ts'
import { countRuns, randomSeed } from '../harness/randomSeed.ts'
import { setUp } from '../harness/setUp.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, chains } = target
const inputs = validInputs(chains[Network.defaultChainId])
const sdk = new URL('../../packages/sdk/src/', import.meta.url)
const seed = randomSeed('literals')

const folder = setUp(() => mkdtempDisposable(join(tmpdir(), 'agio-code-')))

it.each([
  ['convert.quote', inputs['convert.quote'], 'minAmountOut'],
  ['convert.ladder', inputs['convert.ladder'], 'oracleAmountOut'],
  ['chains.list', {}, 'nativeCurrency'],
  ['pools.get', inputs['pools.get'], 'reserves'],
  ['admin.keys.list', {}, 'keys'],
])('the program that the console shows for a call of %s makes that call', async (procedure, input, field) => {
  const code = toSdkCode({ procedure, input }, url)
  expect(code).not.toMatch(new RegExp(`${apiKey}|${adminKey}`))
  const file = join(folder.path, `${procedure}.mjs`)
  await writeFile(file, code.replace("'@agio/sdk'", `'${sdk.href}index.ts'`).replace("'@agio/sdk/admin'", adminEntry))
  const env = { AGIO_API_KEY: apiKey, AGIO_ADMIN_KEY: adminKey }
  expect(await runOrThrow(process.execPath, [file], { cwd: folder.path, env })).toContain(`${field}:`)
})

const adminEntry = `'${sdk.href}admin.ts'`

it('the code of each procedure calls a query or a mutation, as the router has it', () => {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>)
  expect(procedures.length).toBeGreaterThan(30)
  for (const [procedure, { _def }] of procedures) {
    const kind = _def.type === 'mutation' ? 'mutate' : 'query'
    expect(toSdkCode({ procedure, input: {} }, url)).toContain(`${procedure}.${kind}()`)
  }
})

type Procedure = { readonly _def: { readonly type: 'mutation' | 'query' } }

it('a literal is the value that it was formatted from', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = JSON.stringify(value)
      expect(JSON.stringify(runInNewContext(`(${formatLiteral(JSON.parse(json))})`))).toBe(json)
    }),
    { seed, numRuns: countRuns(200) },
  )
})
