import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { parseResponses, type ReceivedResponse } from './parseResponses.ts'

/** Sends bytes over their own connection, and returns the first response, once the service has closed the connection. */
export async function sendRaw(url: string, bytes: string): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  const received = await buffer(socket)
  const [method = ''] = bytes.split(' ')
  const [answer = { status: 0, headers: {}, text: '' }] = parseResponses(received, [method])
  const afterHead = received.toString('latin1', received.indexOf('\r\n\r\n') + 4)
  return { ...answer, body: answer.text === '' ? undefined : JSON.parse(answer.text), afterHead }
}

export type RawResponse = ReceivedResponse & {
  /** The JSON of the body; undefined without a body. */
  readonly body: unknown
  /** All bytes after the headers. */
  readonly afterHead: string
}
