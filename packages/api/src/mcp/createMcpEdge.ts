import { Errors, type Scope } from '@agio/core'
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import type { SkillCatalog } from '@modelcontextprotocol/server/ext/skills'
import manifest from '../../package.json' with { type: 'json' }
import type { AccessCheck } from '../admission/createAccessCheck.ts'
import { type Admit, unknownOperation } from '../admission/createAdmit.ts'
import type { Authenticate } from '../admission/createAuthenticate.ts'
import type { KeyLimiter } from '../admission/createKeyLimiter.ts'
import { AdmissionError, type Caller } from '../admission/Caller.ts'
import { observeEnd } from '../http/observeEnd.ts'
import type { Context } from '../procedure/Context.ts'
import { toErrorBody, toFailure } from '../errors/toErrorBody.ts'
import { origin, type HttpExchange } from '../http/HttpExchange.ts'
import type { CallOutcome, HttpReply, HttpResult } from '../http/HttpReply.ts'
import { assertJsonMediaType, readBody } from '../http/readBody.ts'
import { respond, retryAfter } from '../http/respond.ts'
import { prepareProcedures, type PreparedProcedure } from '../procedure/prepareProcedure.ts'
import type { ServedRouter } from '../router/appRouter.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { callTool, toRefusedCall } from './callTool.ts'
import { createMcpServer } from './createMcpServer.ts'
import { createSkillLoader } from './createSkillLoader.ts'
import { findCalledTool, findRefusal, parseMessage, toRpcFailure, type McpMessage } from './McpMessage.ts'
import { mcpOperation, toToolOperation } from './mcpOperations.ts'
import { describeTool, type Tool, type ToolDescription } from './tools/Tool.ts'
import { unknownTool } from './tools/toToolError.ts'
import { createLocalTools } from './tools/localTools.ts'
import { conversionTools } from './tools/conversionTools.ts'
import { marketTools } from './tools/marketTools.ts'
import { transactionTools } from './tools/transactionTools.ts'

// In the order of a conversion. Agents see them in this order.
const tools: readonly Tool[] = [...marketTools, ...conversionTools, ...transactionTools]

/** Creates the handler of `/mcp`: the tools of the service for agents, over the Model Context Protocol without state. */
export function createMcpEdge(dependencies: createMcpEdge.Dependencies): McpEdge {
  const { local, admit, clientTimeoutMs, findScope, router } = dependencies
  const listed = tools.map((tool) => ({
    tool,
    scope: findScope(toToolOperation(tool.name)),
    described: describeTool(tool),
  }))
  const forOperators = (local ? createLocalTools(local) : []).map((tool) => ({ tool, described: describeTool(tool) }))
  const byName = new Map([...listed, ...forOperators].map(({ tool }) => [tool.name, tool]))
  const procedures = prepareProcedures(router)
  const loadSkills = createSkillLoader(dependencies.docs)
  const begin = createBegin(dependencies)
  return async (exchange) => {
    let caller: Caller = {}
    let operation = mcpOperation
    try {
      const { key, isOperator } = await begin(exchange)
      caller = { keyId: key.id }
      const text = await readBody(exchange.request, clientTimeoutMs)
      const message = parseMessage(text)
      const name = findCalledTool(message)
      const tool = name === undefined ? undefined : byName.get(name)
      if (name !== undefined) {
        operation = tool ? toToolOperation(name) : unknownOperation
        caller = await admit(exchange, [operation])
      }
      const scopes = key.restrictions?.scopes
      const allowed = listed.filter(({ scope }) => !scopes || scope === undefined || scopes.includes(scope))
      const visible = [...allowed, ...(isOperator ? forOperators : [])]
      const usable = visible.some((each) => each.tool === tool) ? tool : undefined
      const call = { exchange, caller, operation, text, message, tool: usable }
      return await serve(
        { ...dependencies, procedures, skills: await loadSkills() },
        call,
        visible.map(({ described }) => described),
      )
    } catch (thrown) {
      const isRefused = thrown instanceof AdmissionError
      return refuse(exchange, isRefused ? thrown.cause : thrown, {
        operation,
        caller: isRefused ? { ...caller, ...thrown.caller } : caller,
      })
    }
  }
}

export declare namespace createMcpEdge {
  type Dependencies = Pick<
    AppSettings,
    'chains' | 'clientTimeoutMs' | 'docs' | 'local' | 'publicUrl' | 'isOriginAllowed'
  > &
    Pick<Authenticate, 'authenticate' | 'authenticateAdmin'> & {
      readonly admit: Admit
      readonly access: Pick<AccessCheck, 'findRefusal'>
      readonly limitKey: Pick<KeyLimiter, 'assertRoom'>
      /** Creates the context of an admitted request. */
      readonly createContext: (exchange: HttpExchange, caller: Caller) => Context
      /** Returns the scope of an operation. */
      readonly findScope: (operation: string) => Scope.Scope | undefined
      readonly router: ServedRouter
    }
}

/** Serves a request of an agent. */
export type McpEdge = (exchange: HttpExchange) => Promise<HttpResult<HttpReply | Response>>

/** Creates the checks before the body of a request is read. */
function createBegin(dependencies: createMcpEdge.Dependencies) {
  const { local, authenticate, authenticateAdmin, access, limitKey, publicUrl, isOriginAllowed } = dependencies
  return async (exchange: HttpExchange) => {
    const { method, headers } = exchange.request
    assertHost(exchange, publicUrl)
    const page = headers.get('origin')
    if (page !== null && !isOriginAllowed(page)) throw Errors.pageForbidden()
    if (method !== 'POST') throw Errors.methodNotAllowed({ path: exchange.path, method, allow: 'POST' })
    const key = await authenticate(exchange)
    const refusal = access.findRefusal(exchange, key, [])
    if (refusal) throw new AdmissionError(refusal, { keyId: key.id })
    limitKey.assertRoom(key)
    assertJsonMediaType(headers)
    const isOperator = local !== undefined && exchange.credentials.adminKey !== null
    if (isOperator) await authenticateAdmin(exchange)
    return { key, isOperator }
  }
}

/**
 * Asserts that a request names the host of `PUBLIC_URL`. A page whose name resolves to the service (DNS rebinding) has another one.
 *
 * @throws `svc/origin-forbidden`
 */
function assertHost({ request: { headers } }: HttpExchange, publicUrl: string | undefined): void {
  const host = headers.get('host')?.toLowerCase().replace(/:\d+$/, '')
  if (publicUrl !== undefined && host !== undefined && host !== new URL(publicUrl).hostname)
    throw Errors.hostForbidden()
}

type McpCall = {
  readonly exchange: HttpExchange
  readonly caller: Caller
  readonly operation: string
  /** The body, and the message that it contains. */
  readonly text: string
  readonly message: McpMessage
  /** The called tool, if the caller may use it. */
  readonly tool: Tool | undefined
}

type Served = Pick<createMcpEdge.Dependencies, 'chains' | 'createContext'> & {
  readonly procedures: ReadonlyMap<string, PreparedProcedure>
  readonly skills: SkillCatalog
}

/** Answers a message of an admitted caller. */
async function serve(
  { chains, createContext, procedures, skills }: Served,
  { exchange, caller, operation, text, message, tool }: McpCall,
  listed: readonly ToolDescription[],
): Promise<HttpResult<HttpReply | Response>> {
  const { requestId } = exchange
  const { keyId, rateLimit, keyExpiresAt } = caller
  const request = toRequest(exchange)
  const isOlder = await isLegacyRequest(request, message)
  const refusal = findRefusal(message, { isOlder })
  if (refusal) {
    const body = toRpcFailure(refusal, message['id'])
    // The newer protocol also answers by the status.
    const status = isOlder ? 200 : refusal.code === -32_601 ? 404 : 400
    return { response: respond({ requestId, rateLimit, keyExpiresAt }, { status, body }), operation, keyId }
  }
  const context = createContext(exchange, caller)
  const outcomes: CallOutcome[] = []
  async function call(name: string) {
    const called = tool
      ? await callTool(tool, text, { operation, context, procedures })
      : toRefusedCall(unknownTool(name), { operation, chains })
    outcomes.push(called.outcome)
    return called.result
  }
  const create = () => createMcpServer({ version: manifest.version, chains, skills, tools: listed, callTool: call })
  const { fetch } = createMcpHandler(create)
  const sent = await fetch(request, { parsedBody: message })
  const headers = { 'content-type': sent.headers.get('content-type') ?? 'application/json' }
  const isStream = headers['content-type'].startsWith('text/event-stream')
  const result = { operation, keyId, isStream, client: context.client }
  const { promise, resolve } = Promise.withResolvers<readonly CallOutcome[]>()
  const body = isStream && sent.body ? observeEnd(sent.body, () => resolve(outcomes)) : sent.body
  const response = toWebResponse(
    respond({ requestId, rateLimit, keyExpiresAt }, { status: sent.status, body, headers }),
  )
  const calls = operation === mcpOperation ? undefined : isStream ? promise : outcomes
  return { ...result, response, calls }
}

/** Returns a response without a body for a status that has none. */
function toWebResponse({ status, headers, body }: HttpReply): Response {
  return new Response(status === 202 || status === 204 ? null : body, { status, headers })
}

/** Returns the request for the library, whose body was read. */
function toRequest({ request: { headers, signal }, path }: HttpExchange): Request {
  return new Request(`${origin}${path}`, { method: 'POST', headers: [...headers], signal, body: '' })
}

/** Returns the refusal of a request before any tool: its own HTTP status, and an error of JSON-RPC with the code of the service. */
function refuse(
  exchange: HttpExchange,
  error: unknown,
  { operation, caller: { keyId, rateLimit, keyExpiresAt } }: { readonly operation: string; readonly caller: Caller },
): HttpResult {
  const failure = toErrorBody(error)
  const { status } = failure
  const { success: _, error: message, ...data } = toFailure(failure, exchange)
  const code = failure.code === 'svc/invalid-request' ? -32_600 : -32_000
  const headers = { ...retryAfter(status, failure), ...(status === 405 && { allow: 'POST' }) }
  const body = toRpcFailure({ code, message, data })
  return {
    response: respond({ requestId: exchange.requestId, rateLimit, keyExpiresAt }, { status, body, headers }),
    operation,
    keyId,
    error,
  }
}
