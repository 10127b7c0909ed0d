import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { isAgioError, isServiceFailure, toAgioError, type AgioError } from '../errors/AgioError.ts'
import { isObject } from '../errors/isObject.ts'
import { parseJson, toResponseError, unreachable } from '../client/requestService.ts'
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
  { fetch, signal, onMessage, ...init }: readStream.Options,
): Promise<void> {
  const closing = new AbortController()
  const close = () => closing.abort()
  signal.addEventListener('abort', close, { once: true })
  let silence: ReturnType<typeof setTimeout> | undefined
  function restartSilence(): void {
    clearTimeout(silence)
    silence = setTimeout(close, silenceMs)
  }
  try {
    restartSilence()
    const response = await fetch(url, { ...init, redirect: 'manual', signal: closing.signal })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!response.ok || !isStream || !response.body) {
      const body = parseJson(await response.text())
      throw toResponseError(url, response, isObject(body) ? body['error'] : undefined)
    }
    let failure: AgioError | undefined
    const parser = createParser({
      onEvent(message) {
        if (message.event === 'serialized-error') failure = toFailure(message)
        else if (message.event === undefined)
          onMessage({ id: message.id ?? '', data: JSON.parse(message.data) as StreamData })
      },
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      restartSilence()
      if (value !== undefined) parser.feed(value)
      if (failure) throw failure
      if (done) return
    }
  } catch (cause) {
    if (isAgioError(cause)) throw cause
    throw unreachable(url, cause)
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', close)
    // An unread connection would stay open.
    closing.abort()
  }
}

export declare namespace readStream {
  type Options = Pick<RequestInit, 'method' | 'headers' | 'body'> & {
    readonly fetch: typeof globalThis.fetch
    readonly signal: AbortSignal
    readonly onMessage: (message: { readonly id: string; readonly data: StreamData }) => void
  }
}

function toFailure({ data }: EventSourceMessage): AgioError | undefined {
  const failure = parseJson(data)
  return isServiceFailure(failure) ? toAgioError(failure) : undefined
}
