import { Network } from '@agio/core'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startLocalnet } from '@agio/localnet'
import { expect, it } from 'vitest'
import { startTestServer } from '../harness/startTestServer.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('the tour of the README converts when its commands are run as printed', async () => {
  await using stack = new AsyncDisposableStack()
  const localnet = stack.use(await startLocalnet({ rpcPort: 0, deploymentsDir: `${root}.local/readme-test` }))
  const knownKeys = [{ id: 'key_local', secret: 'local-key', tier: 'local' }] as const
  const server = await startTestServer(localnet, { knownKeys })
  stack.defer(() => server.stop())

  const tour = await readTour()
  const { rpcUrl } = localnet.chains[84532]
  const script = tour
    .replaceAll('http://127.0.0.1:3000', server.url)
    .replaceAll('http://127.0.0.1:8545', rpcUrl)
    .replaceAll('npx -y pnpm@12 --silent sign', 'node packages/localnet/src/sign.ts')
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: root,
    env: { ...process.env, RPC_PORT: new URL(rpcUrl).port },
  })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(answers).toMatchObject([
    { success: true, data: { chains: Network.chainIds.map((chainId) => ({ chainId, blockExplorer: null })) } },
    { success: true, data: { amountOut: '65.087440', recommendedMinAmountOut: '65.054896' } },
    {
      success: true,
      data: {
        maxAmountIn: { tokenIn: '767813.267813', tokenOut: '500000.000000' },
        rows: [{ amountIn: '0.000004' }, { amountIn: '0.023074' }, {}, { amountIn: '767813.267813' }],
      },
    },
    { result: expect.stringMatching(/^0x/) },
    { success: true, data: { needsApproval: true } },
    { result: expect.stringMatching(/^0x/) },
    { success: true, data: { gasEstimateSource: 'call-as-if', issues: [] } },
    { success: true, data: { status: 'success' } },
    { success: true, data: { status: 'success', convert: { actualAmountOut: '65.087440', slippage: '0.0000%' } } },
    { success: true, data: { amountOut: '65.000000', issues: [] } },
    { result: expect.stringMatching(/^0x/) },
    {
      success: true,
      data: { status: 'success', amountOut: '65.000000', oracleAt: 'quote', parts: { fee: '0.032517' } },
    },
    {
      success: true,
      data: { steps: [{ kind: 'permit', fallback: [{ kind: 'approve' }] }], currentAllowance: '0.134341' },
    },
    { success: true, data: { status: 'success', convert: { actualAmountOut: '162.718600' } } },
  ])
})

/** The shell blocks between the tour marks of the README, as one script. */
async function readTour(): Promise<string> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const tour = readme.slice(readme.indexOf('<!-- tour -->'), readme.indexOf('<!-- /tour -->'))
  return [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')
}
