/** A response as received. */
export type ReceivedResponse = {
  readonly status: number
  /** By lower-case name; repeated headers are joined. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Parses the complete responses received on a connection.
 *
 * @param methods the methods of the requests, as responses to HEAD have no body
 */
export function parseResponses(bytes: Buffer, methods: readonly string[]): readonly ReceivedResponse[] {
  const answers: ReceivedResponse[] = []
  let rest = bytes
  for (;;) {
    const parsed = parseOne(rest, methods[answers.length])
    if (!parsed) return answers
    rest = rest.subarray(parsed.length)
    // An interim response is followed by the final one.
    if (parsed.answer.status >= 200) answers.push(parsed.answer)
  }
}

type Parsed = { readonly answer: ReceivedResponse; readonly length: number }

function parseOne(bytes: Buffer, method: string | undefined): Parsed | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1])
  if (Number.isNaN(status)) throw new Error(`Cannot parse a response: its first line is "${statusLine}"`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [name = ''] = line.split(':', 1)
    const [key, value] = [name.toLowerCase(), line.slice(name.length + 1).trim()]
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  const bodyAt = headEnd + 4
  const hasBody = method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
  if (!hasBody) return { answer: { status, headers, text: '' }, length: bodyAt }
  const body =
    headers['transfer-encoding'] === 'chunked' ? readChunks(bytes, bodyAt) : readLength(bytes, bodyAt, headers)
  return body && { answer: { status, headers, text: body.text }, length: body.end }
}

type ParsedBody = { readonly text: string; readonly end: number }

function readLength(bytes: Buffer, at: number, headers: ReceivedResponse['headers']): ParsedBody | undefined {
  const length = headers['content-length']
  const end = length === undefined ? bytes.length : at + Number(length)
  return end > bytes.length ? undefined : { text: bytes.toString('utf8', at, end), end }
}

function readChunks(bytes: Buffer, start: number): ParsedBody | undefined {
  const chunks: Buffer[] = []
  let at = start
  for (;;) {
    const sizeEnd = bytes.indexOf('\r\n', at)
    if (sizeEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, sizeEnd), 16)
    const end = sizeEnd + 2 + size + 2
    if (end > bytes.length) return undefined
    if (size === 0) return { text: Buffer.concat(chunks).toString(), end }
    chunks.push(bytes.subarray(sizeEnd + 2, end - 2))
    at = end
  }
}
