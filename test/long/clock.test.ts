import { expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from './trials.ts'

const aheadSeconds = 400
const maxBlockAgeMs = 60_000

// Moves the wall clock of the process, and leaves its monotonic clock.
const wrongClock = `const now = Date.now; Date.now = () => now() + ${aheadSeconds * 1000}`
const variables = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(wrongClock)}` }

const localnet = setUp(() => startTestLocalnet({ blockIntervalMs: 1000 }))

it('previews continue on a machine whose clock is ahead, health names the clock, and a stopped chain is refused', async () => {
  const chain = localnet.chains[84532]
  const settings = settingsFor(localnet, { maxBlockAgeMs })
  await using server = await startServerProcess(settings, 'Node', variables)
  const call = createRestCaller({ url: server.url, apiKey })
  const preview = async () => (await call('convert.preview', validInputs(chain)['convert.preview'])).status
  const readChain = async () => {
    const { chains } = (await (await fetch(`${server.url}/health`)).json()) as { readonly chains: readonly object[] }
    return chains[0]
  }
  expect(await readChain()).toMatchObject({ status: 'lagging' })
  expect(await preview()).toBe(503)
  await expect.poll(readChain).toMatchObject({
    status: 'degraded',
    suspect: 'clock',
    available: ['previews', 'transactions'],
  })
  const statuses: Record<number, number> = {}
  for (let count = 0; count < 1000; count += 1) {
    const status = await preview()
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  expect(statuses).toEqual({ 200: 1000 })

  await connectOwner(chain).client.setIntervalMining({ interval: 0 })
  await expect.poll(readChain).toMatchObject({ status: 'lagging', available: ['transactions'] })
  expect(await preview()).toBe(503)
  recordTrial({
    trial: 'A machine whose clock is ahead',
    tried: `The wall clock of the service ${aheadSeconds} s ahead, with a maximum block age of ${maxBlockAgeMs / 1000} s; then the chain stands still`,
    result: '1,000 of 1,000 previews were 200, and health named the clock; once the chain stood still they were 503',
  })
})
