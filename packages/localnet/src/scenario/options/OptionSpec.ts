/** What an option of a scenario may be. */
export type OptionSpec = NumberSpec | NameSpec

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

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** The options that a scenario with these specs takes. */
export type OptionsOf<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs as Specs[Name] extends Optional ? never : Name]: ValueOf<Specs[Name]>
} & {
  readonly [Name in keyof Specs as Specs[Name] extends Optional ? Name : never]?: ValueOf<Specs[Name]> | undefined
}

type Optional = { readonly isOptional: true }
type ValueOf<Spec extends OptionSpec> = Spec extends NumberSpec ? number : string
