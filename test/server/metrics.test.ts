import { request } from 'undici'
import { expect, inject, it } from 'vitest'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { setUp } from '../harness/setUp.ts'

const localnet = setUp(startTestLocalnet)

async function read(url: string, headers: Record<string, string> = {}) {
  const response = await request(url, { headers })
  return { status: response.statusCode, text: await response.body.text() }
}

it.each(inject('runtimes'))('the metrics on $name need the admin key', async ({ name, url, apiKey }) => {
  const answers = [await read(`${url}/metrics`), await read(`${url}/metrics`, { 'x-api-key': apiKey })]
  for (const { status, text } of answers) {
    expect(status).toBe(401)
    expect(text).toContain('svc/unauthorized')
  }
  await read(`${url}/api/v1/pools`, { 'x-api-key': apiKey })
  const { status, text } = await read(`${url}/metrics`, { 'x-admin-key': adminKey })
  expect(status).toBe(200)
  expect(text).toMatch(/^agio_requests_total\{operation="pools\.list",status="200"\} \d+$/m)
  expect(text).toMatch(
    /^agio_request_duration_seconds_bucket\{le="0\.005",operation="pools\.list",status_class="2xx"\} \d+$/m,
  )
  expect(text).toMatch(/^agio_quotes_total\{event="issued"\} \d+$/m)
  expect(text).toMatch(/^agio_quote_slippage_ratio_count \d+$/m)
  expect(text).toMatch(/^agio_storage_up 1$/m)
  expect(text).toMatch(/^agio_limits_shared 0$/m)
  expect(text).toMatch(/^agio_chain_block_number\{chain="84532"\} [1-9]\d*$/m)
  expect(text).toMatch(/^agio_build_info\{version="[\d.]+",runtime="(?:node|deno)",runtime_version="[\d.]+"\} 1$/m)
  expect(text).toMatch(/^agio_database_duration_seconds_count\{kind="query",outcome="ok"\} [1-9]\d*$/m)
  // Deno's server reports no connections.
  expect(/^agio_connections \d+$/m.test(text)).toBe(name === 'Node')
  expect(/^agio_connections_closed_total/m.test(text)).toBe(name === 'Node')
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
})

it('the metrics port needs no key, and is the only place of the metrics without an admin key', async () => {
  const server = await startTestServer(localnet, {
    metricsPort: 0,
    adminKey: undefined,
    adminKeys: [],
    ownDatabase: true,
  })
  try {
    for (const path of ['/a', '/b', `/${'c'.repeat(1000)}`]) {
      await read(`${server.url}/api/v1${path}`, { 'x-api-key': apiKey })
      await read(`${server.url}/trpc${path}`, { 'x-api-key': apiKey })
    }
    const { text } = await read(String(server.metricsUrl))
    // Input of callers does not become a label.
    expect(text).toMatch(/^agio_requests_total\{operation="unknown",status="404"\} 6$/m)
    expect(text).not.toContain('ccc')
    expect((await read(`${server.url}/metrics`, { 'x-admin-key': 'any' })).status).toBe(404)
    expect((await read(`${server.url}/api/v1/admin/stats`, { 'x-admin-key': 'any' })).status).toBe(404)
    expect((await read(`${server.url}/trpc/admin.stats`, { 'x-admin-key': 'any' })).status).toBe(404)
  } finally {
    await server.stop()
  }
})
