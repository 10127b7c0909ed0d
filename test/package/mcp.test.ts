import { createServer, request as connect, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { apiKey } from '../harness/settingsFor.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { installTool } from './npm.ts'
import { runOrThrow } from './run.ts'

const suite = { name: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12' }

/**
 * Scenarios that call tools, prompts and resources which a server has for this suite only, or that need a capability without
 * use for a conversion: sessions, logging, completion, subscriptions, sampling and elicitation.
 */
const needFixtures: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    ...['logging-set-level', 'completion-complete', 'tools-call-with-logging', 'tools-call-sampling'],
    ...['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    ...['resources-subscribe', 'resources-unsubscribe', 'server-sse-polling', 'server-sse-multiple-streams'],
  ],
  '2026-07-28': [
    ...['server-stateless', 'completion-complete', 'caching', 'http-custom-header-server-validation'],
    ...['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'request-state', 'multiple-input-requests'].map(
      (name) => `input-required-result-${name}`,
    ),
    ...['multi-round', 'non-tool-request', 'result-type', 'tampered-state', 'capability-check'].map(
      (name) => `input-required-result-${name}`,
    ),
    ...['missing-input-response', 'validate-input'].map((name) => `input-required-result-${name}`),
    ...['lifecycle', 'capability-negotiation', 'wire-fields', 'request-state-removal', 'mrtr-input'].map(
      (name) => `tasks-${name}`,
    ),
    ...['request-headers', 'dispatch-and-envelope', 'required-task-error', 'mrtr-composition'].map(
      (name) => `tasks-${name}`,
    ),
  ],
}
const needFixturesInBoth = [
  ...['tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
  ...['tools-call-with-progress', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
  ...['prompts-get-with-image', 'json-schema-2020-12'],
]

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
  it.each(['2025-11-25', '2026-07-28'])('passes the requirements of %s that need no fixtures', async (revision) => {
    const folder = await installTool(inject('tools'), suite)
    const expected = join(inject('diskFolder'), `agio-mcp-${revision}.yaml`)
    const names = [...needFixturesInBoth, ...(needFixtures[revision] ?? [])]
    await writeFile(expected, ['server:', ...names.map((name) => `  - ${name}`)].join('\n'))
    const args = [
      'server',
      '--url',
      `${originOf(proxy)}/mcp`,
      '--requirements',
      revision,
      '--expected-failures',
      expected,
    ]
    const printed = await runOrThrow(process.execPath, [join(folder, 'dist/index.js'), ...args], { cwd: folder })
    console.log(/Total: .*/.exec(printed)?.[0])
    expect(printed).toContain('SUMMARY')
  })
})

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
