import { errorCatalogue, Errors, permitRefusals, priceRefusals, Scope, type ErrorCode } from '@agio/core'
import { sharedEnums } from './sharedEnums.ts'
import { localExamples } from '../schema/localExamples.ts'

/** Returns the name of an error's schema, an identifier: `StalePriceError` for `svc/stale-price`. */
export function errorSchemaName(code: ErrorCode): string {
  const name = errorName(code)
  return name.endsWith('Error') ? name : `${name}Error`
}

/** Returns the name of an error, an identifier: `StalePrice` for `svc/stale-price`. */
export function errorName(code: ErrorCode): string {
  const words = code.slice('svc/'.length).split('-')
  return words.map(capitalize).join('')
}

/** Returns a word with an upper-case first letter. */
export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Returns the schema of a response with one of several errors, which `code` discriminates. */
export function oneOfErrors(codes: readonly ErrorCode[]): object {
  const refs = codes.map((code) => ({ $ref: errorRef(code) }))
  const [first] = refs
  if (refs.length === 1 && first) return first
  const mapping = Object.fromEntries(codes.map((code) => [code, errorRef(code)]))
  return { oneOf: refs, discriminator: { propertyName: 'code', mapping } }
}

/** Returns the `$ref` of an error's schema. */
export function errorRef(code: ErrorCode): string {
  return `#/components/schemas/${errorSchemaName(code)}`
}

/** Returns the schema of an error: the common fields and the fields of its code. */
export function toErrorSchema(code: ErrorCode): object {
  const { title, status, ...entry } = errorCatalogue[code]
  const details: readonly string[] = entry.details
  const optional: readonly string[] = 'optional' in entry ? entry.optional : []
  return {
    type: 'object',
    description: `${title}. HTTP status ${status}`,
    properties: {
      ...commonProperties,
      code: { type: 'string', const: code, description: 'Code of the error' },
      type: {
        type: 'string',
        const: `/docs/errors#${code.slice('svc/'.length)}`,
        description: commonProperties.type.description,
      },
      ...Object.fromEntries(details.map((field) => [field, reasonSchemas[code]?.[field] ?? detailSchemas[field]])),
    },
    required: [
      ...Object.keys(commonProperties).filter((name) => name !== 'traceId'),
      'code',
      ...details.filter((field) => ![...optional, 'value'].includes(field)),
    ],
    additionalProperties: false,
  }
}

const commonProperties = {
  success: { type: 'boolean', const: false, description: 'Always false' },
  error: { type: 'string', description: 'Message of the error. It begins with the code' },
  type: { type: 'string', description: 'Documentation of the code, relative to the service' },
  retryable: { type: 'boolean', description: 'Whether the same request can succeed later' },
  action: sharedEnums['ErrorAction'],
  requestId: { type: 'string', description: 'Id of the request, as in the header X-Request-Id' },
  traceId: {
    type: 'string',
    pattern: '^[0-9a-f]{32}$',
    description: 'Id of the trace of the request, for the operator of the service. Absent for most requests',
  },
}

const text = (description: string, example: string) => ({ type: 'string', description, example })

const time = (description: string) => ({ type: 'string', description, example: '2026-11-21T05:00:00.000Z' })

const address = (description: string, example: string) => ({
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{40}$',
  description,
  example,
})

/** The schemas of the fields whose meaning depends on the code. */
const reasonSchemas: { readonly [Code in ErrorCode]?: Readonly<Record<string, object>> } = {
  'svc/stale-price': { reason: toReasonSchema('Why pools refuse to convert at the price', priceRefusals, 'age') },
  'svc/invalid-permit': { reason: toReasonSchema('What is wrong with the signature', permitRefusals, 'deadline') },
}

const detailSchemas: Readonly<Record<string, object>> = {
  role: text('Role that the operator does not have', 'keys'),
  actual: text('Value in the request or the transaction', '101.000000'),
  answer: text('Price of the reference token in US dollars', '0.97000000'),
  minAnswer: text('Lowest price of the reference token at which the pool converts', '0.98000000'),
  maxAnswer: text('Highest price of the reference token at which the pool converts', '1.02000000'),
  feed: address('Address of the price feed of the reference token', localExamples.oracle),
  amountIn: text('Amount to pay', '900000000.000000'),
  amountOut: text('Amount that the conversion pays', '65.087440'),
  current: text('Amount that the wallet has', '0.000000'),
  expected: text('Value in the quote', '100.000000'),
  errors: {
    type: 'array',
    minItems: 2,
    maxItems: Errors.maxInputErrors,
    description: 'Refused fields, if there are several. The first is `field`',
    items: {
      type: 'object',
      properties: {
        field: text('Field or parameter that was refused', 'amountIn'),
        message: {
          type: 'string',
          description: 'What is wrong with it',
          example: 'Cannot read amountIn: it is missing',
        },
      },
      required: ['field', 'message'],
      additionalProperties: false,
    },
  },
  expiresAt: time('Time at which the quote expired'),
  field: text('Field or parameter that was refused', 'amountIn'),
  maxAgeSeconds: { type: 'integer', minimum: 0, description: 'Maximum age of a price in seconds', example: 3600 },
  maxAmountIn: text('Largest amount that the pool accepts now', '767813.267813'),
  nearestAmountIn: text('Amount near the requested amount that the pool accepts now', '767813.267813'),
  minAmountOut: text('Smallest amount to receive, as requested', '65.100000'),
  nextClaimAt: time('Time from which the user may claim'),
  opensAt: time('Time at which the market of the price opens. Present only while the market is closed'),
  oracle: address('Address of the oracle', localExamples.oracle),
  required: text('Amount that the transaction needs', '100.000000'),
  retryAfterSeconds: { type: 'integer', minimum: 0, description: 'Seconds to wait before a retry', example: 12 },
  revert: {
    type: 'object',
    description: 'Error with which the contract reverted',
    properties: {
      name: text('Name of the error', 'Error'),
      args: { type: 'array', items: { type: 'string' }, description: 'Arguments of the error', example: ['paused'] },
    },
    required: ['name', 'args'],
  },
  scope: { type: 'string', enum: Scope.names, description: 'Scope that the API key lacks', example: 'broadcast' },
  account: address('Address of the account that the token has blocked', localExamples.wallet),
  token: address('Address of the token', localExamples.tAUD),
  transactionHash: {
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{64}$',
    description:
      'Hash of the broadcast transaction. The transaction may be mined despite the error, and broadcasting it again is safe. Absent in other operations',
    example: localExamples.transactionHash,
  },
  updatedAt: time('Time of the last update of the price'),
  value: { description: 'Refused value. Absent if it is missing, an object or an array' },
}

function toReasonSchema(title: string, reasons: Readonly<Record<string, string>>, example: string): object {
  const sentences = Object.entries(reasons).map(([reason, meaning]) => `\`${reason}\`: ${meaning}.`)
  const description = `${title}. ${sentences.join(' ').replace(/\.$/, '')}`
  return { type: 'string', enum: Object.keys(reasons), description, example }
}
