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
const needFixtures = {
  both: `tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-with-progress
    resources-read-text resources-read-binary resources-templates-read prompts-list prompts-get-simple prompts-get-with-args
    prompts-get-embedded-resource prompts-get-with-image json-schema-2020-12 completion-complete`,
  '2025-11-25': `logging-set-level tools-call-with-logging tools-call-sampling tools-call-elicitation
    elicitation-sep1034-defaults elicitation-sep1330-enums resources-subscribe resources-unsubscribe server-sse-polling
    server-sse-multiple-streams`,
  '2026-07-28': `server-stateless caching http-custom-header-server-validation input-required-result-basic-elicitation
    input-required-result-basic-sampling input-required-result-basic-list-roots input-required-result-request-state
    input-required-result-multiple-input-requests input-required-result-multi-round input-required-result-non-tool-request
    input-required-result-result-type input-required-result-tampered-state input-required-result-capability-check
    input-required-result-missing-input-response input-required-result-validate-input tasks-lifecycle
    tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal tasks-mrtr-input tasks-request-headers
    tasks-dispatch-and-envelope tasks-required-task-error tasks-mrtr-composition`,
} as const

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
  it.each(['2025-11-25', '2026-07-28'] as const)(
    'passes the requirements of %s that need no fixtures',
    async (revision) => {
      const folder = await installTool(inject('tools'), suite)
      const expected = join(inject('diskFolder'), `agio-mcp-${revision}.yaml`)
      const names = `${needFixtures.both} ${needFixtures[revision]}`.split(/\s+/)
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
    },
  )
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
