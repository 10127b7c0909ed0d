import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '@agio/chain'
import type { Address } from '@agio/core'
import { getAddress, keccak256, type Hex } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'

const other: Hex = '0x60015f5260205ff3'

const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))
let deployment: Deployment
let owner: Owner

beforeAll(async () => {
  owner = connectOwner(localnet.chains[84532])
  deployment = await changeDeployment((file) => file)
})

// Each contract that is verified: packages/chain/src/health/createCodeVerifier.test.ts.
it.each(['Node', 'Deno'] as const)(
  'error: a service does not start while the code of its router differs from the deployment file (%s)',
  async (runtime) => {
    const { router, codeHashes } = deployment
    await using _ = await changeCode(router, other)
    const [found, expected] = [keccak256(other), codeHashes?.[router]]
    await expect(startServerProcess(settingsFor(localnet), runtime)).rejects.toThrow(
      new RegExp(
        `^Cannot serve chain 84532: router ${router} has code ${found}, but the deployment file expects ${expected}$`,
        'm',
      ),
    )
  },
)

it('a service starts while contracts without a code hash have any code, and its log lists them', async () => {
  const [pool = '0x', ...pools] = deployment.pools
  const foreign = getAddress('0x00000000000000000000000000000000000000f0')
  await owner.client.setCode({ address: foreign, bytecode: (await owner.client.getCode({ address: pool })) ?? '0x' })
  await changeDeployment((file) => ({ ...file, pools: [pool, foreign, ...pools] }))
  await using server = await startServerProcess(settingsFor(localnet, { logLevel: 'info' }), 'Node')
  const lines = server.lines.filter((line) => line.includes('no code hash'))
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ chainId: 84532, foreign: [foreign] }])
  await changeDeployment((file) => ({ ...file, pools: deployment.pools }))
})

async function changeDeployment(change: (file: Deployment) => Deployment): Promise<Deployment> {
  const path = join(localnet.deploymentsDir, '84532.json')
  const changed = change(JSON.parse(await readFile(path, 'utf8')) as Deployment)
  await writeFile(path, JSON.stringify(changed))
  return changed
}

/** Replaces the code of a contract until it is disposed of. */
async function changeCode(address: Address, bytecode: Hex): Promise<AsyncDisposable> {
  const { client } = owner
  const original = (await client.getCode({ address })) ?? '0x'
  await client.setCode({ address, bytecode })
  return { [Symbol.asyncDispose]: () => client.setCode({ address, bytecode: original }) }
}
