/** The path of the server for agents. */
export const mcpPath = '/mcp'

/** The operation of every request that calls no tool. It is not counted as usage. */
export const mcpOperation = 'mcp'

// Apart from the tools, because admission, logs and metrics need the names before the first request of an agent.
/** The procedure of each tool, by the operation that usage, logs and metrics name. The tool needs the scope of the procedure. */
const toolProcedures: Readonly<Record<string, string>> = {
  'mcp.listNetworks': 'chains.list',
  'mcp.getMarket': 'oracle.prices',
  'mcp.previewConversion': 'convert.preview',
  'mcp.compareAmounts': 'convert.ladder',
  'mcp.quoteConversion': 'convert.quote',
  'mcp.planApproval': 'approval.plan',
  'mcp.buildConversion': 'transaction.buildConvert',
  'mcp.broadcastSigned': 'transaction.broadcast',
  'mcp.trackTransaction': 'transaction.track',
  'mcp.explainReceipt': 'convert.receipt',
}

/** Returns the operation of a tool: `mcp.quoteConversion` for `quote_conversion`. */
export function toToolOperation(name: string): string {
  return `mcp.${name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}`
}

/** Returns the procedure whose scope an operation needs: of a tool, its procedure; of any other operation, itself. */
export function toScopedOperation(operation: string): string {
  return Object.hasOwn(toolProcedures, operation) ? (toolProcedures[operation] ?? operation) : operation
}
