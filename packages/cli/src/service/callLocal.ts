import { defineSettings, localServiceDefaults, parseSettings, serviceSettings, toUrl } from '@agio/localnet/commands'
import { errorCatalogue, type ErrorCode } from '@agio/localnet/stacks'
import process from 'node:process'
import { CommandError } from '../errors/CommandError.ts'
import { getStack, type ConnectOptions } from './connect.ts'

/** The settings that name a local stack by its address. */
export const localSettings = defineSettings({ host: serviceSettings.host, port: serviceSettings.port })

/**
 * Calls an operation below `/local` of the running local stack, or of the stack at `HOST` and `PORT`.
 *
 * @returns the data of the response
 * @throws `CommandError` with the error of the service, or if no service responds
 */
export async function callLocal<Data>(path: string, { method = 'GET', body, ...options }: CallOptions): Promise<Data> {
  const { url, adminKey } = await findLocalService(options)
  const response = await fetch(`${url}/local/${path}`, {
    method,
    headers: { 'x-admin-key': adminKey, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  }).catch((cause: unknown) => {
    throw new CommandError('upstream', `No local stack responds at ${url}. Start one with agio dev`, { cause })
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!isEnvelope(answer)) {
    throw new CommandError('upstream', `The server at ${url} is not the service. HOST and PORT name the service`)
  }
  if (answer.success) return answer.data as Data
  throw new CommandError(errorCatalogue[answer.code].class, answer.error)
}

type CallOptions = Pick<ConnectOptions, 'stack'> & {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: object | undefined
}

async function findLocalService(options: Pick<ConnectOptions, 'stack'>) {
  const { HOST, PORT } = process.env
  // A port of 0 took any free port, which is unknown here.
  if (options.stack === undefined && (HOST || Number(PORT || 0) !== 0)) {
    const { values } = parseSettings(localSettings, process.env, 'find the service')
    return { url: toUrl(values), adminKey: localServiceDefaults.adminKey }
  }
  const { name, service } = await getStack(options)
  if (service) return service
  throw new CommandError('upstream', `Cannot call the service: ${name} runs without a service`)
}

type Envelope =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: string; readonly code: ErrorCode }

/** Returns whether a body is the service's envelope. If PORT is the port of a local node, the node responds instead. */
function isEnvelope(body: unknown): body is Envelope {
  if (typeof body !== 'object' || body === null || !('success' in body)) return false
  if (body.success === true) return 'data' in body
  return 'error' in body && 'code' in body && Object.hasOwn(errorCatalogue, String(body.code))
}
