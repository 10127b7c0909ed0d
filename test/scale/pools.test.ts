import { writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Localnet } from '@agio/localnet'
import { expect, it } from 'vitest'
import { deployManyPools } from './deployManyPools.ts'
import { readUsage } from '../harness/readUsage.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startProxy } from '../harness/startProxy.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { listStateReads } from '../harness/stateReads.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'
import { measureGrowth } from './measureGrowth.ts'
import { measurePreviews } from './measurePreviews.ts'

const poolsPerRead = 100
const blocks = 5

const localnet = setUp(() => startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true }))

it('the reads of a block grow with every 100 pools, and previews keep their latency', async () => {
  const chain = localnet.chains[84532]
  const owner = connectOwner(chain)
  const { rows } = await measureGrowth({
    subject: 'pools',
    sizes: [10, 100, 1000],
    async measure(count) {
      const pools = await deployManyPools(chain, count)
      await writePools(localnet, pools)
      await using proxy = await startProxy(chain.rpcUrl)
      const startedMs = performance.now()
      await using server = await startServerProcess(settingsFor(localnet, { rpcUrls: { 84532: [proxy.url] } }), 'Node')
      const startMs = performance.now() - startedMs
      const target = { url: server.url, apiKey, chain }
      await measurePreviews(target, 2000)
      const { medianMs, perSecond } = await measurePreviews(target, 3000)
      const first = proxy.requests.length
      for (let block = 0; block < blocks; block += 1) {
        await owner.client.mine({ blocks: 1 })
        await waitForBlock(server.url, chain)
      }
      const readsPerBlock = listStateReads(proxy, first).length / blocks
      const { residentMB } = await readUsage(server.pid)
      return { startMs, medianMs, perSecond, readsPerBlock, residentMB }
    },
  })
  for (const { size, figures } of rows) {
    expect(figures.readsPerBlock, `${size} pools`).toBeLessThanOrEqual(Math.ceil(size / poolsPerRead))
  }
})

/** Writes pools to the deployment file of the chain, from which the service starts. */
async function writePools(
  { chains, deploymentsDir }: Localnet,
  pools: Awaited<ReturnType<typeof deployManyPools>>,
): Promise<void> {
  const path = join(deploymentsDir, `${chains[84532].chainId}.json`)
  const deployment = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...deployment, pools: pools.map(({ address }) => address) }))
}
