import { connect } from 'node:net'
import { parseResponses } from '../../test/edge/parseResponses.ts'
import { eventually } from '../../test/harness/timeLimits.ts'
import { encodeRequest, type FuzzRequest, type FuzzResponse, type WireRequest } from './FuzzRequest.ts'

// With these headers a server may wait for more data.
const framing = new Set(['content-length', 'transfer-encoding', 'expect', 'upgrade'])

/**
 * Sends a request on a connection of its own, which no server closes while it is idle, and returns the response.
 *
 * @returns undefined if there is no response, and the request does not require one
 * @throws `Error` if a required response is missing
 */
export async function sendRequest(url: string, request: FuzzRequest): Promise<FuzzResponse | undefined> {
  const { method, headers } = request
  const ending = headers.some(([name]) => framing.has(name.toLowerCase())) ? 'end' : 'wait'
  const bytes = encodeRequest({ ...request, headers: [...headers, ['Connection', 'close']] })
  const [answer] = await sendBytes(url, { bytes, ending, methods: [method] })
  if (!answer && ending === 'wait' && method !== 'CONNECT') throw new Error('it has no response')
  return answer
}

/**
 * Writes bytes to a new connection, and reads until the server closes it or has responded.
 *
 * @returns the responses, which may be none if the server closed the connection
 * @throws `Error` if the server neither responds nor closes
 */
export async function sendBytes(url: string, request: sendBytes.Request): Promise<readonly FuzzResponse[]> {
  const { bytes, ending, methods = [] } = request
  const { hostname, port } = new URL(url)
  const received: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: ending === 'end' })
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Cannot read a response: none within ${eventually.timeout} ms`))
    }, eventually.timeout)
    const end = () => {
      clearTimeout(late)
      socket.destroy()
      resolve()
    }
    socket.on('data', (chunk) => {
      received.push(chunk)
      if (ending === 'wait' && parseResponses(Buffer.concat(received), methods).length > 0) end()
    })
    // The server may reset a connection whose request it rejects early.
    socket.on('error', end).on('end', end).on('close', end)
    socket.write(bytes, () => {
      if (ending === 'end') socket.end()
      if (ending === 'break') end()
    })
  })
  return parseResponses(Buffer.concat(received), methods)
}

export declare namespace sendBytes {
  type Request = Pick<WireRequest, 'bytes' | 'ending'> & {
    /** The methods of the requests, if they are known. */
    readonly methods?: readonly string[]
  }
}
