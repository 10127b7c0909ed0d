import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { apiKey } from '../harness/settingsFor.ts'

const command = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/** Connects the official client to a service. Its default is the older protocol. */
export async function connectClient(
  url: string,
  { era, transport = 'http', headers, fetch }: connectClient.Options,
): Promise<Client> {
  const options = era === 'newer' ? { versionNegotiation: { mode: 'auto' as const } } : {}
  const client = new Client({ name: 'test', version: '1' }, options)
  if (transport === 'stdio') {
    const env = { PATH: process.env['PATH'] ?? '', AGIO_URL: url, AGIO_API_KEY: apiKey }
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [command, 'mcp'], env }))
  } else {
    const requestInit = { headers: { 'x-api-key': apiKey, ...headers } }
    const http = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit, ...(fetch && { fetch }) })
    await client.connect(http)
  }
  return client
}

export declare namespace connectClient {
  type Options = {
    readonly era: 'older' | 'newer'
    /** Default: `http`. */
    readonly transport?: 'http' | 'stdio'
    /** The headers of each request over HTTP, beside the key. */
    readonly headers?: Readonly<Record<string, string>>
    /** Sends the requests over HTTP. Default: the global function. */
    readonly fetch?: typeof globalThis.fetch
  }
}

/** Sends a body to the server as JSON, with other headers or another method if they are given. */
export async function postMessage(
  url: string,
  body: string,
  { method = 'POST', ...changed }: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const accept = 'application/json, text/event-stream'
  const headers = { 'content-type': 'application/json', accept, 'x-api-key': apiKey, ...changed }
  return await fetch(`${url}/mcp`, { method, headers, body: method === 'POST' ? body : null })
}

/** Connects the official client, and lists the tools that it sees. */
export async function connectAgent(url: string, options: connectClient.Options): Promise<AgentClient> {
  const client = await connectClient(url, options)
  const { tools } = await client.listTools()
  return {
    client,
    tools,
    async call(name, input = {}) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...input } })
      const text = (content as readonly { readonly text: string }[])[0]?.text ?? ''
      return { isError: isError === true, text, data: (isError ? JSON.parse(text) : structuredContent) as Fields }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** A connected client: the tools that it sees, and calls of them. */
export type AgentClient = AsyncDisposable & {
  readonly client: Client
  readonly tools: readonly Tool[]
  /** @throws `Error` if no answer arrives */
  call(name: string, input?: object): Promise<Answer>
}

/** The answer of a tool: its structured content, or its error. */
export type Answer = { readonly isError: boolean; readonly text: string; readonly data: Fields }

/** Fields of an answer by name. */
export type Fields = Readonly<Record<string, unknown>>
