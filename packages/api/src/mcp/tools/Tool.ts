import { z } from 'zod'
import type { Context } from '../../procedure/Context.ts'

/** A tool for agents. Its input is checked by its schema, then by the procedures that it calls. */
export type Tool = {
  /** Verb and noun in snake case. */
  readonly name: string
  /** What the tool does, what its result means, and what to do if the answer is lost. */
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** Whether a call changes something outside of the service. Default: it only reads. */
  readonly isDestructive?: true
  /** Whether a repeated call has an effect of its own, so that an agent must not repeat it after a lost answer. */
  readonly isAdding?: true
  run(call: ToolCall): Promise<ToolResult>
}

/** A call of a tool. */
export type ToolCall = {
  /** The input, as the schema of the tool has parsed it. */
  readonly input: Readonly<Record<string, unknown>>
  readonly context: Context
  /** Runs a procedure of the service with its own validation, and returns its output. */
  readonly callProcedure: <Output>(operation: string, input: object) => Promise<Output>
}

/** The result of a tool. `data` may have more fields than the output of the tool, which are left out. */
type ToolResult = { readonly data: object; readonly text: string }

/** A tool as `tools/list` describes it. */
export type ToolDescription = {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: Readonly<Record<string, boolean>>
}

type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' }

/** Describes a tool. Its schemas have no references, which clients of the older protocol may not follow. */
export function describeTool({ name, description, input, output, isDestructive, isAdding }: Tool): ToolDescription {
  return {
    name,
    description,
    inputSchema: toJsonSchema(input, 'input'),
    outputSchema: toJsonSchema(output, 'output'),
    annotations: {
      readOnlyHint: isDestructive !== true,
      ...(isDestructive && { destructiveHint: true }),
      idempotentHint: isAdding !== true,
      openWorldHint: false,
    },
  }
}

// Patterns and examples cost an agent more tokens than they help: a refusal says what a field expects.
const omitted = [
  'pattern',
  'example',
  'examples',
  'override',
  'format',
  'id',
  'minimum',
  'maximum',
  'maxLength',
] as const

function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override({ zodSchema, jsonSchema }) {
      const { override } = (z.globalRegistry.get(zodSchema as never) ?? {}) as { override?: object }
      Object.assign(jsonSchema, override)
      for (const field of omitted) delete (jsonSchema as Record<string, unknown>)[field]
    },
  })
  return json as JsonSchema
}
