import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Network } from '@agio/core'
import type { RunningServer } from '@agio/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { operations } from '../harness/openApi.ts'
import { validInputs } from '../harness/validInputs.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { setUp } from '../harness/setUp.ts'

const signedTransaction = `0x02${'00'.repeat(100)}`
const transactionHash = `0x${'ab'.repeat(32)}`

const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))

describe.each(Network.chainIds)('a service with a deployment file for only chain %i', (served) => {
  const others = Network.chainIds.filter((chainId) => chainId !== served)
  let server: RunningServer

  beforeAll(async () => {
    server = await startTestServer(localnet, { deploymentsDir: await copyDeployment(served) })
  })

  afterAll(async () => {
    await server?.stop()
  })

  describe.each([
    ['REST', createRestCaller],
    ['tRPC', createTrpcCaller],
  ])('over %s', (_, createCaller) => {
    const call: ReturnType<typeof createCaller> = (...args) => createCaller({ url: server.url, apiKey })(...args)

    it('a service answers every operation on the chain that it serves', async () => {
      for (const [operation, input] of Object.entries(validInputs(localnet.chains[served]))) {
        expect(await call(operation, input), operation).toMatchObject({ status: 200 })
      }
    })

    it.each(others)(
      'error: svc/unsupported-chain from every operation on chain %i, which the service does not serve',
      async (value) => {
        for (const [operation, input] of Object.entries(inputsOf(value))) {
          if (!('chainId' in input)) continue
          expect(await call(operation, input), operation).toMatchObject(refusalOf(value, served))
        }
      },
    )

    it('error: svc/unsupported-chain for a chain that no service serves, with the served chain', async () => {
      const { chainId: _chainId, ...input } = inputsOf(served)['convert.preview'] ?? {}
      const outcome = await call('convert.preview', { chainId: 1, ...input })
      expect(outcome).toMatchObject(refusalOf(1, served))
    })

    it('a request that names no chain uses the default chain, served or not', async () => {
      const { chainId: _chainId, ...input } = validInputs(localnet.chains[84532])['transaction.buildConvert']
      const expected = served === 84532 ? { status: 200 } : refusalOf(84532, served)
      expect(await call('transaction.buildConvert', input)).toMatchObject(expected)
    })
  })

  it('a path that names no chain uses the default chain', async () => {
    const outcome = await createRestCaller({ url: server.url, apiKey })('getOraclePricesOfDefaultChain', {})
    expect(outcome).toMatchObject(served === 84532 ? { status: 200 } : refusalOf(84532, served))
  })

  it('a stream of a chain is refused where another one is served', async () => {
    for (const chainId of Network.chainIds) {
      const topics = JSON.stringify([{ topic: 'health' }, { topic: 'prices', chainId }])
      const controller = new AbortController()
      const { signal } = controller
      const target = `${server.url}/api/v1/stream?topics=${encodeURIComponent(topics)}`
      const response = await fetch(target, { headers: { 'x-api-key': apiKey }, signal })
      const refused: unknown = expect.objectContaining({ code: 'svc/unsupported-chain', field: 'topics.1.chainId' })
      // The body of a stream does not end.
      const answer = response.status === 200 ? undefined : await response.json()
      expect(answer).toEqual(chainId === served ? undefined : refused)
      controller.abort()
    }
  })

  it('chains.list lists only the chains that the service serves', async () => {
    const { data } = await createRestCaller({ url: server.url, apiKey })('chains.list', {})
    expect(data).toMatchObject({ chains: [{ chainId: served }] })
  })

  it('the health of a service lists only the chains that it serves', async () => {
    await expect.poll(() => readHealth(server.url)).toMatchObject({ status: 'ok' })
    expect((await readHealth(server.url)).chains.map(({ chainId }) => chainId)).toEqual([served])
  })
})

it('the inputs of the tests of served chains cover every operation that takes a chain', () => {
  const covered = Object.keys(inputsOf(84532))
  const others = operations.flatMap(({ procedure = [] }) => procedure).filter((name) => !covered.includes(name))
  // Operations of keys, of what they do, and of webhooks have no chain. Streams are not calls and are tested above.
  expect(others.filter((name) => !/^(admin|keys|usage|webhooks)\./.test(name) && name !== 'stream.watch')).toEqual([])
})

describe.each(['Node', 'Deno'] as const)('the process on %s', (runtime) => {
  it(`a process on ${runtime} prints the served networks before it is ready`, async () => {
    const deploymentsDir = await copyDeployment(421614)
    await using server = await startServerProcess(settingsFor(localnet, { deploymentsDir }), runtime)
    const [line, ready] = server.lines.slice(-2)
    expect(line).toMatch(/^serving Arbitrum Sepolia \(421614\); no deployment file for Base Sepolia \(84532\)/)
    expect(ready).toMatch(/^ready /)
  })

  it(`error: a process on ${runtime} ends with what to do when no network has a deployment file`, async () => {
    const deploymentsDir = join(localnet.deploymentsDir, 'none')
    await expect(startServerProcess(settingsFor(localnet, { deploymentsDir }), runtime)).rejects.toThrow(
      /Cannot serve any network: .* has no .*\. To serve local chains, run "npx -y pnpm@12 localnet" and set DEPLOYMENTS_DIR=/,
    )
  })
})

async function copyDeployment(chainId: Network.ChainId): Promise<string> {
  const folder = join(localnet.deploymentsDir, crypto.randomUUID())
  await mkdir(folder)
  await copyFile(join(localnet.deploymentsDir, `${chainId}.json`), join(folder, `${chainId}.json`))
  return folder
}

/** A valid input of every operation that takes a chain, and of the list of chains. */
function inputsOf(chainId: Network.ChainId): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const inputs = validInputs(localnet.chains[chainId])
  const { amountIn, tokenIn, tokenOut } = inputs['convert.preview']
  const conversion = { amountIn, tokenIn, tokenOut }
  return {
    ...inputs,
    'transaction.broadcast': { chainId, signedTransaction },
    'transaction.broadcastConvert': { chainId, signedTransaction, expectedAmountOut: '650.5', ...conversion },
    'swap.execute': { chainId, signedTransaction, expectedAmountOut: '650.5', ...conversion },
    'transaction.status': { chainId, transactionHash },
    'transaction.track': { chainId, transactionHash },
    'transaction.buildReplace': { chainId, transactionHash, kind: 'cancel' },
    'convert.receipt': { chainId, transactionHash },
    'webhooks.watch': { chainId, transactionHash },
  }
}

function refusalOf(value: number, served: Network.ChainId) {
  const error = `svc/unsupported-chain: Cannot use chain ${value}: the service serves only ${served}`
  return { status: 400, failure: { code: 'svc/unsupported-chain', field: 'chainId', value, error } }
}
