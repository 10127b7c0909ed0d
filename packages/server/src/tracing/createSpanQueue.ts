import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace'
import type { DropReason } from './Tracer.ts'

// More spans are dropped: a collector that is down must not fill the memory.
const maxQueueSize = 2048
// How long the collector may take for a batch. A lost batch delays no request.
const exportTimeoutMs = 5000

/**
 * Creates the queue of ended spans, which are sent to the collector in batches. While the collector does not accept them, spans
 * are dropped and counted, and one line says so.
 */
export function createSpanQueue({ endpoint, headers, log }: createSpanQueue.Options): SpanQueue {
  const dropped = { full: 0, lost: 0 }
  let queued = 0
  let isFailing = false

  function setFailing(isNow: boolean): void {
    if (isNow === isFailing) return
    isFailing = isNow
    if (isNow) log.warn({}, 'traces cannot be sent to the collector: they are dropped until it accepts them')
    else log.info({}, 'traces are sent to the collector again')
  }
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportTimeoutMs,
  })
  const counted: SpanExporter = {
    export(spans, onResult) {
      queued -= spans.length
      exporter.export(spans, (result) => {
        const isLost = (result.code as number) !== 0
        if (isLost) dropped.lost += spans.length
        setFailing(isLost)
        onResult(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
  const batches = new BatchSpanProcessor({
    exporter: counted,
    maxQueueSize,
    scheduledDelayMillis: 1000,
    exportTimeoutMillis: 2 * exportTimeoutMs,
  })
  return {
    onStart() {},
    onEnd(span: ReadableSpan) {
      // The processor drops spans without a word.
      if (queued >= maxQueueSize) dropped.full += 1
      else {
        queued += 1
        batches.onEnd(span)
      }
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
    countDropped: (reason) => dropped[reason],
  }
}

export declare namespace createSpanQueue {
  type Options = {
    /** The URL of the collector. Spans are sent to its path `/v1/traces`. */
    readonly endpoint: string
    /** The headers of each request to the collector, such as its key. */
    readonly headers?: Readonly<Record<string, string>> | undefined
    readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
  }
}

/** The spans that wait for the collector. */
export type SpanQueue = SpanProcessor & {
  /** Returns the number of spans that were not sent, by reason. */
  countDropped(reason: DropReason): number
}
