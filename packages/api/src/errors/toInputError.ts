import { Errors, Network, toSafeEcho, type ServiceError } from '@agio/core'
import { z, type ZodError } from 'zod'
import { describeIssue } from './describeIssue.ts'

/** The params of a schema issue with its own code. All other issues are `svc/invalid-request`. */
export const addressIssue = { code: 'svc/invalid-address' } as const

/** The params of a schema issue for a chain that is not a supported network. */
export const chainIssue = { code: 'svc/unsupported-chain' } as const

/**
 * Returns the error of the first issue of a schema, with the name and the value of the refused field. It lists the issues of
 * all fields, if there are several. Omits the value of a signature.
 */
export function toInputError({ issues }: ZodError, input: unknown, chains: object = Network.names): ServiceError {
  const found = issues
    .slice(0, Errors.maxInputErrors)
    .flatMap((issue) => listPaths(issue).map((path) => ({ issue, path })))
  const [first = { issue: undefined, path: [] }, ...more] = found
  return Errors.inputErrors([
    toFieldError(first, input, chains),
    ...more.slice(0, Errors.maxInputErrors).map((one) => toFieldError(one, input, chains)),
  ])
}

type Issue = ZodError['issues'][number]

/** Returns the paths of the fields of an issue: only the issue of unknown fields has several. */
function listPaths(issue: Issue): readonly (readonly PropertyKey[])[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
}

type FieldIssue = { readonly issue: Issue | undefined; readonly path: readonly PropertyKey[] }

function toFieldError({ issue, path }: FieldIssue, input: unknown, chains: object): Errors.InputError {
  const field = toSafeEcho(path.join('.') || 'body')
  const found = path.reduce<unknown>(valueAt, input)
  const value = containsSignature(path) ? undefined : toSafeEcho(found)
  const details = { field, value }
  const code = issue?.code === 'custom' ? issue.params?.['code'] : undefined
  if (code === addressIssue.code) {
    const isHex = typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value) && /[1-9a-f]/i.test(value.slice(2))
    const hint = isHex ? ': its checksum (EIP-55) is wrong' : ''
    return Errors.invalidAddress({ ...details, reason: `${quote(value)} is not an address${hint}` })
  }
  if (code === chainIssue.code) return Errors.unsupportedChain({ ...details, served: Object.keys(chains) })
  return Errors.invalidRequest({ ...details, reason: lowerFirst(reasonOf(issue, found)) })
}

function reasonOf(issue: Issue | undefined, found: unknown): string {
  if (issue?.code === 'unrecognized_keys') return 'unknown field'
  if (found === undefined) return 'it is missing'
  return issue ? toSentence(issue, found) : 'it is malformed'
}

/**
 * Returns the sentence of the schema, or ours where the schema has none: a sentence of the library names its own terms.
 *
 * The library's sentence is recognised here because tRPC parses the inputs of some procedures itself, without an error map. An
 * error map for the whole process would also change the errors of settings, deployments, and programs that embed the service.
 */
function toSentence(issue: Issue, input: unknown): string {
  const raw = { ...issue, input } as z.core.$ZodRawIssue
  const ofLibrary = z.config().localeError?.(raw)
  const isOfLibrary = issue.message === (typeof ofLibrary === 'string' ? ofLibrary : ofLibrary?.message)
  return isOfLibrary ? describeIssue(raw) : issue.message
}

/** Returns whether a field is a permit, or the signature in a permit. */
function containsSignature(path: readonly PropertyKey[]): boolean {
  const last = path.at(-1)
  return last === 'permit' || last === 'signature'
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
