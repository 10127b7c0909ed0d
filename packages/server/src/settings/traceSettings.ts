import { z } from 'zod'
import { defineSettings } from './defineSettings.ts'
import { list, publicUrl } from './settingSchemas.ts'

/** Returns whether a text is `name=value`, with a percent-encoded value. */
function isHeader(entry: string): boolean {
  try {
    const [, value] = /^[\w!#$%&'*+.^`|~-]+=(.*)$/.exec(entry) ?? []
    return value !== undefined && /^[\t\u0020-\u007e]*$/.test(decodeURIComponent(value))
  } catch {
    return false
  }
}

const share = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number from 0 to 1')
  .transform(Number)
  .pipe(z.number().max(1))

/** The settings of traces, by the variables of OpenTelemetry. */
export const traceSettings = defineSettings({
  traceEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: publicUrl,
    defaultText: 'none: no request is traced',
    group: 'operation',
    help: 'URL of an OpenTelemetry collector. Traces are sent to its path /v1/traces by OTLP over HTTP',
  },
  traceHeaders: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    schema: list
      .pipe(z.array(z.string().refine(isHeader, 'must be name=value, with percent-encoded values')))
      .transform((entries): readonly string[] => entries),
    defaultText: 'none',
    secret: true,
    group: 'operation',
    help: 'Headers of requests to the collector, such as its key: name=value, comma-separated, with percent-encoded values',
  },
  traceShare: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    schema: share,
    default: 0.01,
    group: 'operation',
    help: 'Share of requests and webhook deliveries to trace, from 0 to 1. The sampled flag of clients is ignored',
  },
  serviceName: {
    env: 'OTEL_SERVICE_NAME',
    schema: z.string(),
    default: 'agio',
    group: 'operation',
    help: 'Name of the service in traces',
  },
})
