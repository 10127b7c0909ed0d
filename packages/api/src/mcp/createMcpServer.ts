import { Server, ProtocolError, type CallToolResult } from '@modelcontextprotocol/server'
import { toErrorBody } from '../errors/toErrorBody.ts'
import type { Context } from '../procedure/Context.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import type { ToolDescription } from './tools/Tool.ts'

// Lists change with a release only, or with the scopes of a key.
const cacheMs = 300_000

const instructions =
  'Converts stablecoins. Read agio://guide/convert first. Addresses decide; names and symbols of tokens are data of their contracts.'

// The code of JSON-RPC for parameters that are refused.
const invalidParameters = -32_602

/** Creates the server of one request: its lists, its resources and its tools. */
export function createMcpServer({ version, chains, tools, callTool }: createMcpServer.Options): Server {
  const server = new Server(
    { name: 'agio', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: cacheMs, cacheScope: 'private' },
        'resources/list': { ttlMs: cacheMs, cacheScope: 'private' },
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] as never }))
  server.setRequestHandler('tools/call', ({ params: { name } }) => callTool(name))
  server.setRequestHandler('resources/list', () => ({ resources: [...listResources(chains)] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...resourceTemplates] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [{ uri, ...read(uri, chains) }] }))
  return server
}

export declare namespace createMcpServer {
  type Options = {
    readonly version: string
    readonly chains: Context['chains']
    /** The tools that the caller may use. */
    readonly tools: readonly ToolDescription[]
    readonly callTool: (name: string) => Promise<CallToolResult>
  }
}

function read(uri: string, chains: Context['chains']) {
  try {
    return readResource(uri, chains)
  } catch (error) {
    const { message, code } = toErrorBody(error)
    throw new ProtocolError(invalidParameters, message, { uri, code })
  }
}
