import {
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ClientCapabilities,
  type InputRequests,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

const image = { type: 'image', data: png, mimeType: 'image/png' } as const
const toText = (text: string) => ({ type: 'text', text }) as const
const toMessage = <Content>(content: Content) => ({ role: 'user', content }) as const
const toResource = (uri: string, mimeType: string, text: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const

const states = createRequestStateCodec<number>({ key: crypto.getRandomValues(new Uint8Array(32)) })

/**
 * Creates a server with the tools, prompts and resources that the conformance suite calls by name.
 *
 * @see https://github.com/modelcontextprotocol/conformance
 */
export function createFixtureServer(): McpServer {
  const fixed = { listChanged: false }
  const server = new McpServer(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: { logging: {}, tools: fixed, prompts: fixed, resources: fixed },
      requestState: { verify: states.verify },
    },
  )
  addTools(server)
  addToolsOfSchemas(server)
  addToolsThatAsk(server)
  addPrompts(server)
  addResources(server)
  return server
}

function addTools(server: McpServer): void {
  const contents = {
    test_simple_text: [toText('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
    test_embedded_resource: [toResource('test://embedded', 'text/plain', 'This is an embedded resource content.')],
    test_multiple_content_types: [
      toText('Multiple content types test:'),
      image,
      toResource('test://mixed', 'application/json', '{"test":"data","value":123}'),
    ],
  } as const
  for (const [name, content] of Object.entries(contents))
    server.registerTool(name, { description: name }, () => ({ content: [...content] }))
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_tool_with_progress', { description: 'Reports its progress' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 }
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params })
    }
    return { content: [toText('done')] }
  })
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    server.registerTool(name, { description: 'Logs three lines' }, async ({ mcpReq }) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', line)
      }
      return { content: [toText('done')] }
    })
}

/** Adds tools whose input schemas have keywords that a server must keep or obey. */
function addToolsOfSchemas(server: McpServer): void {
  const schemas = {
    json_schema_2020_12_tool: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' } } } },
      properties: { address: { $ref: '#/$defs/address' }, phone: { type: 'string' }, email: { type: 'string' } },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { required: ['address'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    test_header: { type: 'object', properties: { value: { type: 'string', 'x-mcp-header': 'Value' } } },
  } as const
  for (const [name, schema] of Object.entries(schemas))
    server.registerTool(name, { description: name, inputSchema: fromJsonSchema(schema) }, () => ({
      content: [toText('done')],
    }))
}

const elicit = (field: string) =>
  inputRequired.elicit({
    message: `What is your ${field}?`,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  })
const sample = () => inputRequired.createMessage({ messages: [toMessage(toText('Hello'))], maxTokens: 100 })
const listRoots = () => inputRequired.listRoots()

/** Adds tools that ask the client for input, in one or more rounds, by their results. */
function addToolsThatAsk(server: McpServer): void {
  const rounds: Readonly<Record<string, readonly InputRequests[]>> = {
    test_streaming_elicitation: [{ user_name: elicit('name') }],
    test_missing_capability: [{ question: sample() }],
    test_input_required_result_elicitation: [{ user_name: elicit('name') }],
    test_input_required_result_sampling: [{ capital_question: sample() }],
    test_input_required_result_list_roots: [{ client_roots: listRoots() }],
    test_input_required_result_request_state: [{ confirm: elicit('ok') }],
    test_input_required_result_tampered_state: [{ confirm: elicit('ok') }],
    test_input_required_result_multi_round: [{ step1: elicit('name') }, { step2: elicit('color') }],
    test_input_required_result_multiple_inputs: [
      { user_name: elicit('name'), greeting: sample(), client_roots: listRoots() },
    ],
  }
  for (const [name, asked] of Object.entries(rounds))
    server.registerTool(name, { description: 'Asks the client' }, async (context) => {
      return (await ask(context, asked)) ?? { content: [toText('state-ok')] }
    })
  server.registerTool('test_input_required_result_capabilities', { description: 'Asks the client' }, ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities>>
    const declared = envelope[CLIENT_CAPABILITIES_META_KEY]
    const requests = {
      ...(declared?.elicitation && { user_name: elicit('name') }),
      ...(declared?.sampling && { greeting: sample() }),
    }
    return inputRequired({ inputRequests: requests })
  })
}

/** Returns the next requests to the client; undefined once it has answered all of them. */
async function ask({ mcpReq }: ServerContext, rounds: readonly InputRequests[]) {
  const round = mcpReq.requestState<number>() ?? 0
  const isAnswered = Object.keys(rounds[round] ?? {}).every(
    (key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing',
  )
  const next = isAnswered ? round + 1 : round
  const inputRequests = rounds[next]
  return inputRequests && inputRequired({ inputRequests, requestState: await states.mint(next) })
}

function addPrompts(server: McpServer): void {
  const simple = { messages: [toMessage(toText('This is a simple prompt for testing.'))] }
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => simple)
  const argsSchema = z.object({ arg1: completable(z.string(), () => ['test']), arg2: z.string() })
  server.registerPrompt('test_prompt_with_arguments', { description: 'Arguments', argsSchema }, ({ arg1, arg2 }) => ({
    messages: [toMessage(toText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  }))
  const embedded = { description: 'Resource', argsSchema: z.object({ resourceUri: z.string() }) }
  server.registerPrompt('test_prompt_with_embedded_resource', embedded, ({ resourceUri }) => ({
    messages: [toMessage(toResource(resourceUri, 'text/plain', 'Embedded resource content for testing.'))],
  }))
  server.registerPrompt('test_prompt_with_image', { description: 'Image' }, () => ({ messages: [toMessage(image)] }))
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, async (context) => {
    return (await ask(context, [{ user_context: elicit('context') }])) ?? simple
  })
}

function addResources(server: McpServer): void {
  const text = { description: 'Text', mimeType: 'text/plain' }
  server.registerResource('text', 'test://static-text', text, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource('binary', 'test://static-binary', { description: 'Binary' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: png }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { description: 'Template' }, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
  }))
}
