import { Errors, Network } from '@agio/core'
import type { Hex } from 'viem'

/** Reads the options of a scenario from untrusted fields. @throws `svc/invalid-request` with the field */
export function parseOptions<Specs extends OptionSpecs>(
  fields: Readonly<Record<string, unknown>>,
  { specs, chain }: parseOptions.Context<Specs>,
): OptionsOf<Specs> {
  for (const [field, value] of Object.entries(fields)) {
    if (!Object.hasOwn(specs, field)) throw Errors.invalidRequest({ field, value, reason: 'unknown option' })
  }
  for (const [field, spec] of Object.entries(specs)) {
    const reason = validateOption(fields[field], spec, chain)
    if (reason !== undefined) throw Errors.invalidRequest({ field, value: fields[field], reason })
  }
  return fields as OptionsOf<Specs>
}

export declare namespace parseOptions {
  type Context<Specs> = { readonly specs: Specs; readonly chain: NamedContracts }
}

/**
 * Reads the chain of a scenario. Default: the default network, or the first of the started chains.
 *
 * @param served the ids of the started chains
 * @throws `svc/unsupported-chain`
 */
export function parseChainId(value: unknown, served: readonly Network.ChainId[]): Network.ChainId {
  const preferred = value === undefined ? Network.defaultChainId : value
  const chainId = served.find((id) => id === preferred) ?? (value === undefined ? served[0] : undefined)
  if (chainId !== undefined) return chainId
  throw Errors.unsupportedChain({ field: 'chainId', value, served })
}

/** The options of a scenario by name. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** The values that an option of a scenario accepts. */
type OptionSpec = NumberSpec | NameSpec | HashSpec | ChoiceSpec

type NumberSpec = {
  readonly type: 'number'
  readonly min: number
  readonly max: number
  readonly isWhole?: true
  readonly isOptional?: true
  readonly description: string
}

/** A key of the chain's `oracles` ("tAUD") or `pools` ("tAUD/tUSD"). */
type NameSpec = {
  readonly type: 'name'
  readonly of: 'oracles' | 'pools'
  readonly isOptional?: true
  readonly description: string
}

/** The hash of a transaction. */
type HashSpec = { readonly type: 'hash'; readonly isOptional?: true; readonly description: string }

/** One of several values. */
type ChoiceSpec = {
  readonly type: 'choice'
  readonly of: readonly string[]
  readonly isOptional?: true
  readonly description: string
}

/** The options that a scenario with these specs takes. */
export type OptionsOf<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs as Specs[Name] extends Optional ? never : Name]: ValueOf<Specs[Name]>
} & {
  readonly [Name in keyof Specs as Specs[Name] extends Optional ? Name : never]?: ValueOf<Specs[Name]> | undefined
}

type Optional = { readonly isOptional: true }
type ValueOf<Spec extends OptionSpec> = Spec extends NumberSpec
  ? number
  : Spec extends HashSpec
    ? Hex
    : Spec extends ChoiceSpec
      ? Spec['of'][number]
      : string

type NamedContracts = Readonly<Record<'oracles' | 'pools', Readonly<Record<string, unknown>>>>

/** Returns the reason why a value is invalid; undefined if it is valid. */
function validateOption(value: unknown, spec: OptionSpec, chain: NamedContracts): string | undefined {
  if (value === undefined) return spec.isOptional ? undefined : 'it is missing'
  if (spec.type === 'name') {
    const names = Object.keys(chain[spec.of])
    return names.includes(value as string) ? undefined : `it must be one of ${names.join(', ')}`
  }
  if (spec.type === 'choice') {
    return spec.of.includes(value as string) ? undefined : `it must be one of ${spec.of.join(', ')}`
  }
  if (spec.type === 'hash') {
    return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
      ? undefined
      : 'it must be 0x and 64 hex digits'
  }
  const { min, max, isWhole } = spec
  const isValid = typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value))
  return isValid ? undefined : `it must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`
}
