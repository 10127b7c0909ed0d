import { fileURLToPath } from 'node:url'
import { expect, inject, it } from 'vitest'
import { runOrThrow } from '../run.ts'
import { examples } from './createExample.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, apiKey, chains } = target

it('the example in Python converts over plain HTTP, and again', async () => {
  const cwd = fileURLToPath(new URL('python/', examples))
  const env = { AGIO_URL: url, AGIO_API_KEY: apiKey, RPC_URL: chains[84532].rpcUrl }
  for (let round = 0; round < 2; round++) {
    const printed = await runOrThrow('python3', ['convert.py'], { cwd, env })
    expect(printed).toContain('approve - ')
    expect(printed).toContain('paid 100.000000 tAUD, received 65.087440 tUSD')
  }
})
