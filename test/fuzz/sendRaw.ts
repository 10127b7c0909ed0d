import { connect } from 'node:net'
import type { Answer } from './Answer.ts'
import type { WireRequest } from './FuzzRequest.ts'
import { parseAnswers } from './parseAnswers.ts'

/** How long a connection may say nothing before it counts as hanging. */
const patienceMs = 15_000

/**
 * Writes bytes to a connection of their own, and reads until the other end closes it or has answered.
 *
 * @returns the answers, which are none if the other end has just closed
 * @throws `Error` if the other end neither answers nor closes
 */
export async function sendRaw(url: string, request: sendRaw.Request): Promise<readonly Answer[]> {
  const { bytes, ending, methods, expected } = request
  const { hostname, port } = new URL(url)
  const received: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: ending === 'end' })
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Cannot wait longer than ${patienceMs} ms for an answer`))
    }, patienceMs)
    const end = () => {
      clearTimeout(late)
      socket.destroy()
      resolve()
    }
    socket.on('data', (chunk) => {
      received.push(chunk)
      if (ending === 'wait' && parseAnswers(Buffer.concat(received), methods).length >= expected) end()
    })
    // What is refused half-way may be reset.
    socket.on('error', end).on('end', end).on('close', end)
    socket.write(bytes, () => {
      if (ending === 'end') socket.end()
      if (ending === 'break') end()
    })
  })
  return parseAnswers(Buffer.concat(received), methods)
}

export declare namespace sendRaw {
  type Request = Pick<WireRequest, 'bytes' | 'ending'> & {
    /** The methods that are asked by, as far as they are known. */
    readonly methods: readonly string[]
    /** How many answers are waited for. */
    readonly expected: number
  }
}
