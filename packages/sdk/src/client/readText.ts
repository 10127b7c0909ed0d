import { clientError } from '../errors/AgioError.ts'
import type { Limit } from './withSignal.ts'

/** Most bytes of a response of the service, and of an event of a stream. */
export const maxBytes = 1_000_000

/** Reads the text of a response in pieces. Calls `onBytes` with the size of each piece before it is decoded. */
export async function* readPieces(body: Body, onBytes: (count: number) => void): AsyncGenerator<string, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      onBytes(value?.length ?? 0)
      yield decoder.decode(value, { stream: !done })
      if (done) return
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

type Body = NonNullable<Response['body']>

// From the first byte to the last one, and from one piece to the next.
const [maxBodyMs, maxPauseMs] = [60_000, 15_000]

/** Reads a response of a limited size in limited time. @throws `network/invalid-response` for a larger response */
export async function readText(response: Response, { url, most = maxBytes, limit }: Options): Promise<string> {
  // React Native has no streams.
  if (!response.body) return await response.text()
  const endMs = performance.now() + maxBodyMs
  let [text, bytes] = ['', 0]
  const count = (more: number) => {
    bytes += more
    if (bytes > most) throw tooLarge(url, most)
    limit(Math.min(maxPauseMs, endMs - performance.now()))
  }
  count(0)
  for await (const piece of readPieces(response.body, count)) text += piece
  return text
}

type Options = {
  readonly url: string
  /** Most bytes. Default: 1 MB. */
  readonly most?: number | undefined
  readonly limit: Limit
}

/** Returns the error for a response, or an event of a stream, that is too large. */
export function tooLarge(url: string, most: number) {
  return clientError('network/invalid-response', `Cannot read the response of ${url}: it has more than ${most} bytes`, {
    url,
  })
}
