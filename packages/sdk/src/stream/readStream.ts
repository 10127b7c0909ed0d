import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { maxBytes, readPieces, readText, tooLarge } from '../client/readText.ts'
import { parseJson, toPost, toRequestError, toResponseError } from '../client/requestService.ts'
import { withSignal } from '../client/withSignal.ts'
import { isServiceFailure, toAgioError, type AgioError } from '../errors/AgioError.ts'
import { isObject } from '../errors/isObject.ts'
import type { StreamData } from './StreamTopic.ts'

// The service sends a heartbeat every 15 seconds.
const silenceMs = 40_000

/**
 * Reads one connection of a stream until it ends.
 *
 * @throws the error of the service, `network/unreachable`, `network/invalid-response`
 */
export async function readStream(
  url: string,
  { fetch, headers, body, signal, onMessage }: readStream.Options,
): Promise<void> {
  try {
    await withSignal(signal, async (own, limit) => {
      limit(silenceMs)
      const response = await fetch(url, { ...toPost(headers), body, signal: own })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      if (!response.ok || !isStream || !response.body)
        throw toResponseError(url, response, parseJson(await readText(response, { url, limit })))
      let failure: AgioError | undefined
      let bytes = 0
      const parser = createParser({
        onEvent(message) {
          bytes = 0
          if (message.event === 'serialized-error') failure ??= toFailure(message)
          else if (message.event === undefined) onMessage({ id: message.id ?? '', data: parseData(message) })
        },
        onComment: () => (bytes = 0),
      })
      const count = (more: number) => {
        bytes += more
        if (bytes > maxBytes) throw tooLarge(url, maxBytes)
        limit(silenceMs)
      }
      for await (const piece of readPieces(response.body, count)) {
        parser.feed(piece)
        if (failure) throw failure
      }
    })
  } catch (cause) {
    throw toRequestError(url, cause)
  }
}

export declare namespace readStream {
  type Options = {
    readonly fetch: typeof globalThis.fetch
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly signal: AbortSignal
    readonly onMessage: (message: { readonly id: string; readonly data: StreamData }) => void
  }
}

/** @throws TypeError for a text that is not a JSON object, so that the stream is opened again */
function parseData({ data }: EventSourceMessage): StreamData {
  const value = parseJson(data)
  if (isObject(value)) return value as StreamData
  throw new TypeError('An event of the stream is not a JSON object')
}

function toFailure({ data }: EventSourceMessage): AgioError | undefined {
  const failure = parseJson(data)
  return isServiceFailure(failure) ? toAgioError(failure) : undefined
}
