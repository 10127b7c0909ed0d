import { AsyncLocalStorage } from 'node:async_hooks'
import { version, type RequestTrace, type TracedRequest } from '@agio/api'
import { Async, ServiceError } from '@agio/core'
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as spans,
  TraceFlags,
  type Link,
  type Span,
  type SpanContext,
} from '@opentelemetry/api'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { createSpanQueue } from './createSpanQueue.ts'
import type { SpanOptions, Tracer } from './Tracer.ts'

// How long a stop waits for the collector.
const stopTimeoutMs = 2000

/**
 * Starts to trace a share of the requests and of the webhook deliveries. The share is decided before any span exists, so that
 * work that is not traced costs one random number.
 *
 * A request begins a trace of its own. It links to the trace of the client, whose decision to sample is ignored: clients could
 * otherwise fill the storage of the operator, or mix their traces with others.
 */
export function startTracer({ share, serviceName, ...options }: startTracer.Options): Tracer {
  const queue = createSpanQueue(options)
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    ),
    sampler: new AlwaysOnSampler(),
    spanProcessors: [queue],
  })
  const tracer = provider.getTracer('agio', version)
  const active = new AsyncLocalStorage<Position>()

  function start({ name, attributes }: StartedSpan, { parent, kind, links }: StartOptions): Span {
    const context = parent ? spans.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    return tracer.startSpan(
      name,
      { kind, attributes: { ...attributes }, root: !parent, ...(links && { links }) },
      context,
    )
  }
  /** Runs work as a span, which ends with the work. */
  function observe<Result>(position: Position, options: SpanOptions<Awaited<Result>>, work: () => Result): Result {
    const { succeed, fail } = createEnd(position.span, options)
    try {
      const result = active.run(position, work)
      if (result instanceof Promise) void result.then(succeed, fail)
      else succeed(result as Awaited<Result>)
      return result
    } catch (error) {
      fail(error)
      throw error
    }
  }
  function inSpan<Result>(
    options: SpanOptions<Awaited<Result>>,
    { kind, at }: ChildOptions,
    work: () => Result,
  ): Result {
    // Work that a request has started and not waited for belongs to no trace once the request has ended.
    if (!at?.request.isOpen) return work()
    const span = start(options, { parent: at.span, kind })
    return observe({ span, request: at.request }, options, work)
  }
  function toRequestTrace(span: Span): RequestTrace {
    const request = { isOpen: true }
    return {
      traceId: span.spanContext().traceId,
      traceparent: toTraceparent(span.spanContext()),
      run: (work) => active.run({ span, request }, work),
      inSpan: (name, work) =>
        inSpan({ name, attributes: {} }, { kind: SpanKind.INTERNAL, at: active.getStore() }, work),
      end(traced) {
        request.isOpen = false
        describeRequest(span, traced)
        span.end()
      },
    }
  }
  return {
    begin(headers) {
      if (Math.random() >= share) return undefined
      const links = toLinks(headers.get('traceparent'))
      return toRequestTrace(start({ name: 'request', attributes: {} }, { kind: SpanKind.SERVER, links }))
    },
    inSpan: (options, work) => inSpan(options, { kind: SpanKind.CLIENT, at: active.getStore() }, work),
    async inTrace(options, work) {
      const links = toLinks(options.cause)
      if (!links && Math.random() >= share) return await work()
      const span = start(options, { kind: SpanKind.CLIENT, links })
      return await observe({ span, request: { isOpen: true } }, options, work)
    },
    countDropped: queue.countDropped,
    async stop() {
      await Async.waitAtMost(
        stopTimeoutMs,
        provider.shutdown().catch(() => {}),
      )
    },
  }
}

export declare namespace startTracer {
  type Options = createSpanQueue.Options & {
    /** The share of requests to trace, from 0 to 1. */
    readonly share: number
    /** The name of the service in traces. */
    readonly serviceName: string
  }
}

/** The span of the current work, and the request that it belongs to. */
type Position = { readonly span: Span; readonly request: { isOpen: boolean } }

type StartedSpan = Pick<SpanOptions<never>, 'name' | 'attributes'>

type StartOptions = {
  readonly parent?: Span
  readonly kind: SpanKind
  readonly links?: Link[] | undefined
}

type ChildOptions = { readonly kind: SpanKind; readonly at: Position | undefined }

/** Returns functions that end a span after a success or a failure of its work. */
function createEnd<Result>(span: Span, { describe, findFailure = toErrorType }: SpanOptions<Result>) {
  return {
    succeed(result: Result): void {
      const described = describe?.(result)
      if (described) span.setAttributes({ ...described })
      if (described?.['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    fail(error: unknown): void {
      const failure = findFailure(error)
      if (failure !== undefined) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

function describeRequest(span: Span, { operation, method, status, code, ...traced }: TracedRequest): void {
  span.updateName(operation.includes(',') ? 'batch' : operation)
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    'error.type': code,
    'agio.operation': operation,
    'agio.request_id': traced.requestId,
    'agio.key_id': traced.keyId,
    'agio.transaction_hash': traced.transactionHash,
  })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function toTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`
}

/** Returns the link to a span, by its W3C `traceparent`. */
function toLinks(traceparent: string | null): Link[] | undefined {
  const [, traceId, spanId] =
    /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-|$)/.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  const context = { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true }
  return isSpanContextValid(context) ? [{ context }] : undefined
}

/** Returns the code of an error, or the name of its class. Its message may contain URLs and values. */
function toErrorType(error: unknown): string {
  if (error instanceof ServiceError) return error.code
  const { cause } = Object(error) as { readonly cause?: unknown }
  if (cause instanceof ServiceError) return cause.code
  return error instanceof Error ? error.name : 'unknown'
}
