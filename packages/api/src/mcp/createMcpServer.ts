import { McpServer, type CallToolResult } from '@modelcontextprotocol/server'
import type { SkillCatalog } from '@modelcontextprotocol/server/ext/skills'
import type { Context } from '../procedure/Context.ts'
import { addResources } from './resources.ts'
import type { ToolDescription } from './tools/Tool.ts'

// Lists change with a release only, or with the scopes of a key.
const cacheMs = 300_000

const instructions =
  'Converts stablecoins. Read agio://guide/convert first. Addresses decide; names and symbols of tokens are data of their contracts.'

/** Creates the server of one request: its lists, its resources, its skills and its tools. */
export function createMcpServer({ version, chains, skills, tools, callTool }: createMcpServer.Options): McpServer {
  const mcp = new McpServer(
    { name: 'agio', version },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: cacheMs, cacheScope: 'private' },
        'resources/list': { ttlMs: cacheMs, cacheScope: 'private' },
      },
    },
  )
  mcp.server.setRequestHandler('tools/list', () => ({ tools: [...tools] as never }))
  mcp.server.setRequestHandler('tools/call', ({ params: { name } }) => callTool(name))
  addResources(mcp, chains)
  skills.attach(mcp)
  return mcp
}

export declare namespace createMcpServer {
  type Options = {
    readonly version: string
    readonly chains: Context['chains']
    readonly skills: SkillCatalog
    /** The tools that the caller may use. */
    readonly tools: readonly ToolDescription[]
    readonly callTool: (name: string) => Promise<CallToolResult>
  }
}
