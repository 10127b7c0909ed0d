import type { Settings } from '../settings/Settings.ts'
import type { startTracer } from './startTracer.ts'
import type { Tracer } from './Tracer.ts'

/**
 * Starts the tracer of the settings; returns undefined without a collector. The libraries of OpenTelemetry are only loaded with
 * one.
 */
export async function openTracer(
  { traceEndpoint: endpoint, traceHeaders = [], traceShare: share, serviceName }: openTracer.Options,
  log: startTracer.Options['log'],
): Promise<Tracer | undefined> {
  if (endpoint === undefined) return undefined
  const { startTracer } = await import('./startTracer.ts')
  return startTracer({ endpoint, headers: Object.fromEntries(traceHeaders.map(parseHeader)), share, serviceName, log })
}

export declare namespace openTracer {
  type Options = Pick<Settings, 'traceEndpoint' | 'traceHeaders' | 'traceShare' | 'serviceName'>
}

function parseHeader(entry: string): readonly [name: string, value: string] {
  const at = entry.indexOf('=')
  return [entry.slice(0, at), decodeURIComponent(entry.slice(at + 1))]
}
