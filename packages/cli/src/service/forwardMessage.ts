import { createParser } from 'eventsource-parser'

type Json = Readonly<Record<string, unknown>>

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/**
 * Sends a message of an agent to the service, and prints each message of its answer on one line. A request that cannot be
 * answered gets an error of JSON-RPC, so that the agent never waits for ever.
 */
export async function forwardMessage(service: Service, line: string, print: (text: string) => void): Promise<void> {
  const message = parse(line)
  try {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        ...createHeaders(message),
        'x-api-key': service.apiKey ?? '',
        ...(service.adminKey !== undefined && { 'x-admin-key': service.adminKey }),
      },
      body: line,
    })
    const messages = listMessages(response.headers.get('content-type') ?? '', await response.text())
    for (const answer of messages) print(JSON.stringify(withId(answer, message)))
    if (messages.length === 0 && response.status !== 202) throw new Error(`the service answered ${response.status}`)
  } catch (error) {
    if (message['id'] === undefined) return
    const reason = error instanceof Error ? error.message : String(error)
    const failure = { code: -32_000, message: `Cannot reach the service at ${service.url}: ${reason}` }
    print(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error: failure }))
  }
}

type Service = {
  readonly url: string
  readonly apiKey: string | undefined
  /** The admin key of a local stack, for the tools that change it; undefined for any other service. */
  readonly adminKey: string | undefined
}

/** Returns the headers by which the newer protocol repeats parts of the message. */
function createHeaders({ method, params }: Json): Record<string, string> {
  const { name, uri, _meta } = (params ?? {}) as Json
  const version = (_meta as Json | undefined)?.[versionKey]
  const target = name ?? uri
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && { 'mcp-protocol-version': version, 'mcp-method': String(method) }),
    ...(typeof version === 'string' && typeof target === 'string' && { 'mcp-name': target }),
  }
}

/** Lists the messages of a JSON or event-stream body. */
function listMessages(type: string, body: string): readonly Json[] {
  if (!type.startsWith('text/event-stream')) return body === '' ? [] : [JSON.parse(body) as Json]
  const messages: Json[] = []
  const parser = createParser({ onEvent: ({ data }) => messages.push(JSON.parse(data) as Json) })
  // The body has ended, so its last event has too.
  parser.feed(`${body}\n\n`)
  return messages
}

/** Gives a refusal of the edge the id of the request, which the edge may not have read. */
function withId(answer: Json, { id }: Json): Json {
  return 'error' in answer && answer['id'] === null && id !== undefined ? { ...answer, id } : answer
}

function parse(line: string): Json {
  try {
    return Object(JSON.parse(line)) as Json
  } catch {
    return {}
  }
}
