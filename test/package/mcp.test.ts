import { createServer, request as connect, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { apiKey } from '../harness/settingsFor.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { createFixtureServer } from './mcpFixtures.ts'
import { installTool } from './npm.ts'
import { run } from './run.ts'

const suite = { name: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12' }

/** Scenarios that a service without state cannot pass, by what it does not offer. */
const notOffered = {
  '2025-11-25': {
    'requests to the client, which need a connection that stays open': `tools-call-sampling tools-call-elicitation
      elicitation-sep1034-defaults elicitation-sep1330-enums`,
    'subscriptions, since lists change with a release only': 'resources-subscribe resources-unsubscribe',
    'sessions, since every replica answers every request': 'server-sse-polling server-sse-multiple-streams',
  },
  '2026-07-28': {
    'tasks, since every call of a tool ends in seconds': `tasks-lifecycle tasks-capability-negotiation tasks-wire-fields
      tasks-request-state-removal tasks-mrtr-input tasks-request-headers tasks-dispatch-and-envelope
      tasks-required-task-error tasks-mrtr-composition`,
  },
}

/** Scenarios that call tools, prompts and resources of the suite. They run against the fixtures. */
const needFixtures = {
  both: `tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-with-progress
    resources-read-text resources-read-binary resources-templates-read prompts-list prompts-get-simple prompts-get-with-args
    prompts-get-embedded-resource prompts-get-with-image json-schema-2020-12 completion-complete`,
  '2025-11-25': 'logging-set-level tools-call-with-logging',
  '2026-07-28': `server-stateless caching http-custom-header-server-validation input-required-result-basic-elicitation
    input-required-result-basic-sampling input-required-result-basic-list-roots input-required-result-request-state
    input-required-result-multiple-input-requests input-required-result-multi-round input-required-result-non-tool-request
    input-required-result-result-type input-required-result-tampered-state input-required-result-capability-check
    input-required-result-missing-input-response input-required-result-validate-input`,
}

let hasFixtures = false
vi.mock(import('../../packages/api/src/mcp/createMcpServer.ts'), async (load) => {
  const { createMcpServer } = await load()
  // Everything around it is the service's: admission, the protocol eras, and the transport.
  return { createMcpServer: (options) => (hasFixtures ? createFixtureServer() : createMcpServer(options)) }
})

let agio: AgioStack
let proxy: Server
beforeAll(async () => {
  proxy = await startProxyWithKey(() => agio.url)
  agio = await startAgio({ publicUrl: 'http://127.0.0.1', corsOrigins: [originOf(proxy)] })
})
afterAll(async () => {
  proxy?.close()
  await agio?.stop()
})

describe.skipIf(!inject('isOnline'))('the conformance suite of the Model Context Protocol', () => {
  describe.each(['2025-11-25', '2026-07-28'] as const)('%s', (revision) => {
    const unsupported = Object.values(notOffered[revision])

    it('the service fails only scenarios that need fixtures, or what it does not offer', async () => {
      hasFixtures = false
      const needed = [needFixtures.both, needFixtures[revision]]
      expect(await listFailures(revision)).toEqual(listNames(...unsupported, ...needed))
    })

    it('with the fixtures it fails only scenarios of what it does not offer', async () => {
      hasFixtures = true
      expect(await listFailures(revision)).toEqual(listNames(...unsupported))
    })
  })
})

/** Runs the suite, and lists the scenarios with a failure or a warning. Unlike the suite, it judges optional scenarios too. */
async function listFailures(revision: string): Promise<readonly string[]> {
  const folder = await installTool(inject('tools'), suite)
  const results = await mkdtemp(join(inject('diskFolder'), 'agio-mcp-'))
  const url = `${originOf(proxy)}/mcp`
  const args = ['server', '--url', url, '--requirements', revision, '--output-dir', results]
  const { stdout, stderr } = await run(process.execPath, [join(folder, 'dist/index.js'), ...args], { cwd: folder })
  const total = /Total: .*/.exec(stdout)?.[0]
  if (total === undefined) throw new Error(`The suite has not ended:\n${stdout}${stderr}`)
  const failed = await Array.fromAsync(glob('*/checks.json', { cwd: results }), async (path) => {
    const checks = JSON.parse(await readFile(join(results, path), 'utf8')) as readonly { readonly status: string }[]
    const isFailed = checks.some(({ status }) => status === 'FAILURE' || status === 'WARNING')
    return isFailed ? [/^server-(.*)-\d{4}-\d\d-\d\dT/.exec(path)?.[1] ?? path] : []
  })
  console.log(total)
  await rm(results, { recursive: true })
  return failed.flat().toSorted()
}

function listNames(...texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(/\s+/)).toSorted()
}

/** Starts a proxy that adds the key, because the suite sends none. It passes `Host` on. */
async function startProxyWithKey(getUrl: () => string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming
    const options = { method, headers: { ...headers, 'x-api-key': apiKey } }
    const forwarded = connect(new URL(incoming.url ?? '/', getUrl()), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
