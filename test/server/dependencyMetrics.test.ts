import { request } from 'undici'
import { expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith, redisUrl } from '../harness/findServices.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'

const describe = await describeWith(['PostgreSQL', 'Redis'], 'the metrics of PostgreSQL and Redis')

describe('the metrics of nodes, PostgreSQL and Redis', () => {
  it('metrics show how long nodes, PostgreSQL and Redis take, which node fails, and which limit refuses', async () => {
    await using localnet = await startTestLocalnet()
    await using database = await createDatabase()
    const unreachable = `http://127.0.0.1:${await findFreePort()}`
    const server = await startTestServer(localnet, {
      databaseUrl: database.url,
      redisUrl,
      metricsPort: 0,
      presetKeys: [{ id: 'test', secret: apiKey, tier: 'local' }],
      rpcUrls: { 84532: [unreachable, localnet.chains[84532].rpcUrl] },
    })
    const send = async (headers: Record<string, string>) =>
      (await request(`${server.url}/api/v1/pools`, { headers })).body.dump()
    const read = async () => await (await request(String(server.metricsUrl))).body.text()
    const find = (text: string, metric: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${metric} `))
          ?.slice(metric.length + 1),
      )
    try {
      await send({ 'x-api-key': apiKey })
      for (let count = 0; count <= 120; count += 1) await send({ 'x-forwarded-for': '192.0.2.1' })
      const text = await read()
      const method = 'chain="84532",node="2",method="eth_getBlockByNumber"'
      expect(find(text, `agio_node_request_duration_seconds_count{${method}}`)).toBeGreaterThan(0)
      expect(find(text, `agio_node_request_failures_total{${method},reason="unavailable"}`)).toBe(0)
      const failed = 'chain="84532",node="1",method="eth_chainId",reason="unavailable"'
      await expect
        .poll(async () => find(await read(), `agio_node_request_failures_total{${failed}}`), eventually)
        .toBeGreaterThan(0)
      expect(find(text, 'agio_database_duration_seconds_count{kind="query",outcome="ok"}')).toBeGreaterThan(0)
      expect(
        find(text, 'agio_database_connections{state="busy"}') + find(text, 'agio_database_connections{state="idle"}'),
      ).toBeGreaterThan(0)
      expect(find(text, 'agio_database_waiting')).toBe(0)
      expect(find(text, 'agio_redis_duration_seconds_count{command="admit",outcome="ok"}')).toBeGreaterThan(0)
      expect(find(text, 'agio_limit_refusals_total{limit="without-key"}')).toBe(1)
      expect(find(text, 'agio_limit_refusals_total{limit="quota"}')).toBe(0)
      expect(find(text, 'agio_connections')).toBeGreaterThan(0)
    } finally {
      await server.stop()
    }
  })
})
