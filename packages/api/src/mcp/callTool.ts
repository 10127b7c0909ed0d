import type { CallToolResult } from '@modelcontextprotocol/server'
import { toInputError } from '../errors/toInputError.ts'
import type { CallOutcome } from '../http/HttpReply.ts'
import type { Context } from '../procedure/Context.ts'
import type { PreparedProcedure } from '../procedure/prepareProcedure.ts'
import { parseArguments, readAmounts } from './readAmounts.ts'
import type { Tool } from './tools/Tool.ts'
import { toToolError } from './tools/toToolError.ts'

/** Calls a tool. Every refusal is a result that the agent reads, with the code of the service. @param json the request */
export async function callTool(tool: Tool, json: string, options: callTool.Options): Promise<Called> {
  const { context, operation, procedures } = options
  let input: unknown
  try {
    const read = readAmounts(parseArguments(json))
    input = read.input
    const parsed = tool.input.safeParse(input)
    if (!parsed.success) throw toInputError(parsed.error, input, context.chains)
    const callProcedure = async <Output>(name: string, fields: object) =>
      (await procedures.get(name)?.run({ context, input: fields })) as Output
    const { data, text } = await tool.run({ input: parsed.data, context, callProcedure })
    // Unknown fields are left out: an answer never has more than the schema says.
    const structuredContent = tool.output.parse(data)
    const notes = Object.entries(read.readAs).map(([field, amount]) => ` ${field} was read as "${amount}".`)
    const result = { content: [{ type: 'text' as const, text: `${text}${notes.join('')}` }], structuredContent }
    return { result, outcome: { operation, status: 200, input, body: JSON.stringify({ data }) } }
  } catch (thrown) {
    return toRefusedCall(thrown, { operation, chains: context.chains, input })
  }
}

/** Returns the result that an agent reads of a call that failed, and its outcome. @param input undefined if it was not read */
export function toRefusedCall(thrown: unknown, { operation, chains, input }: RefusedCall): Called {
  const { status, error, told } = toToolError(thrown, input, chains)
  const result = { isError: true, content: [{ type: 'text' as const, text: JSON.stringify(told) }] }
  return { result, outcome: { operation, status, input, error } }
}

type RefusedCall = Pick<callTool.Options, 'operation'> & Pick<Context, 'chains'> & { readonly input?: unknown }

export declare namespace callTool {
  type Options = {
    readonly operation: string
    readonly context: Context
    readonly procedures: ReadonlyMap<string, PreparedProcedure>
  }
}

type Called = { readonly result: CallToolResult; readonly outcome: CallOutcome }
