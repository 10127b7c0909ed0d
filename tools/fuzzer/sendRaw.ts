import { connect } from 'node:net'
import { eventually } from '../../test/harness/timeLimits.ts'
import type { FuzzResponse, WireRequest } from './FuzzRequest.ts'
import { parseResponses } from '../../test/edge/parseResponses.ts'

/**
 * Writes bytes to a new connection, and reads until the server closes it or has responded.
 *
 * @returns the responses, which may be none if the server closed the connection
 * @throws `Error` if the server neither responds nor closes
 */
export async function sendRaw(url: string, request: sendRaw.Request): Promise<readonly FuzzResponse[]> {
  const { bytes, ending, methods, expected } = request
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
      if (ending === 'wait' && parseResponses(Buffer.concat(received), methods).length >= expected) end()
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

export declare namespace sendRaw {
  type Request = Pick<WireRequest, 'bytes' | 'ending'> & {
    /** The methods of the requests, as far as known. */
    readonly methods: readonly string[]
    /** Number of responses to wait for. */
    readonly expected: number
  }
}
