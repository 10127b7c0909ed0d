import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends bytes over their own connection, and returns the first response, once the service has closed the connection. */
export async function sendRaw(url: string, bytes: string): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  // The service may close the connection while bytes are on their way to it.
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return parse(text)
}

export type RawResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The JSON of the body; undefined without a body. */
  readonly body: unknown
  /** All bytes after the headers. */
  readonly afterHead: string
}

function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ', 2) as [string, string]))
  const afterHead = text.slice(end + 4)
  const body = afterHead.slice(0, Number(headers['content-length'] ?? 0))
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: body === '' ? undefined : JSON.parse(body),
    afterHead,
  }
}
