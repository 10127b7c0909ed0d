import type { LocalChain } from '../../LocalChain.ts'
import { invalidOption } from './invalidOption.ts'
import type { OptionSpec, OptionsOf, OptionSpecs } from './OptionSpec.ts'

/** Reads the options of a scenario from fields that anybody may have written. @throws `svc/invalid-request` that names the field */
export function parseOptions<Specs extends OptionSpecs>(
  fields: Readonly<Record<string, unknown>>,
  { specs, chain }: parseOptions.Context<Specs>,
): OptionsOf<Specs> {
  for (const [field, value] of Object.entries(fields)) {
    if (!Object.hasOwn(specs, field)) throw invalidOption(field, value, 'there is no such option')
  }
  for (const [field, spec] of Object.entries(specs)) {
    const reason = findFlaw(fields[field], spec, chain)
    if (reason !== undefined) throw invalidOption(field, fields[field], reason)
  }
  return fields as OptionsOf<Specs>
}

export declare namespace parseOptions {
  type Context<Specs> = { readonly specs: Specs; readonly chain: Pick<LocalChain, 'oracles' | 'pools'> }
}

function findFlaw(value: unknown, spec: OptionSpec, chain: Pick<LocalChain, 'oracles' | 'pools'>): string | undefined {
  if (value === undefined) return spec.isOptional ? undefined : 'it is missing'
  if (spec.type === 'name') {
    const names = Object.keys(chain[spec.of])
    return names.includes(value as string) ? undefined : `it must be one of ${names.join(', ')}`
  }
  const { min, max, isWhole } = spec
  const isFit = typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value))
  return isFit ? undefined : `it must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`
}
