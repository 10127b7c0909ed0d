import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The parsed value of a variable. */
type SettingValue = string | number | readonly string[] | readonly number[] | readonly object[]

/** One setting, which is read from an environment variable. */
export type Setting<Value extends SettingValue = SettingValue> = {
  /** Name of the environment variable. */
  readonly env: string
  /** Parses the text of the variable. */
  readonly schema: z.ZodType<Value, string>
  /** Value if the variable is absent. A setting without a default is optional. */
  readonly default?: Exclude<Value, readonly object[]>
  /** Text of the default in help and documents, if it is not the value itself. */
  readonly defaultText?: string
  readonly group: string
  /** What the setting does, in sentences without a full stop at the end. */
  readonly help: string
  /** Whether the value is secret: the variable `<env>_FILE` may name a file that holds it. */
  readonly secret?: boolean
}

/** Settings by their name in the code. */
export type SettingsTable = Readonly<Record<string, Setting>>

type Output<Entry> = Entry extends { readonly schema: z.ZodType<infer Value, string> } ? Value : never

type Defaulted<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly default: unknown } ? Name : never
}[keyof Table]

/** The values of a table of settings. */
export type SettingsOf<Table> = {
  readonly [Name in Defaulted<Table>]: Output<Table[Name]>
} & {
  readonly [Name in Exclude<keyof Table, Defaulted<Table>>]?: Output<Table[Name]> | undefined
}

/** Returns the table with the type of each entry. */
export function defineSettings<const Table extends SettingsTable>(table: Table): Table {
  return table
}

/** Returns the default value of each setting that has one. */
export function listDefaults<Table extends SettingsTable>(table: Table): Pick<SettingsOf<Table>, Defaulted<Table>> {
  const defaulted = Object.entries(table).filter(([, setting]) => 'default' in setting)
  return Object.fromEntries(defaulted.map(([name, setting]) => [name, setting.default])) as Pick<
    SettingsOf<Table>,
    Defaulted<Table>
  >
}

/** Returns the names of all variables of a table, including the `_FILE` variables. */
export function listVariables(table: SettingsTable): readonly string[] {
  return Object.values(table).flatMap(({ env, secret }) => (secret ? [env, `${env}_FILE`] : [env]))
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Parses the settings of a table from the environment, and from the files that the environment names.
 *
 * @param command the action for the error message, such as `start`
 * @throws `Error` that names each bad variable and never quotes a value
 */
export function parseSettings<Table extends SettingsTable>(
  table: Table,
  environment: Environment,
  command = 'start',
): ParsedSettings<Table> {
  const read = (setting: Setting) => readText(setting, environment, command)
  const entries = Object.entries(table).map(([name, setting]) => ({ name, setting, ...read(setting) }))
  const schema = z.object(Object.fromEntries(entries.map(({ setting }) => [setting.env, toSchema(setting)])))
  const texts = Object.fromEntries(entries.map(({ setting, text }) => [setting.env, text]))
  const result = schema.safeParse(texts)
  if (!result.success) throw new Error(`Cannot ${command}: ${z.prettifyError(result.error)}`)
  const values = Object.fromEntries(entries.map(({ name, setting }) => [name, result.data[setting.env]]))
  return { values: values as SettingsOf<Table>, texts, files: entries.flatMap(({ file }) => file ?? []) }
}

/** The values of the settings, and where they come from. */
type ParsedSettings<Table> = {
  readonly values: SettingsOf<Table>
  /** The text of each setting by its variable, including settings from files. */
  readonly texts: Environment
  /** Paths of the files that settings were read from. */
  readonly files: readonly string[]
}

function toSchema(setting: Setting): z.ZodType {
  return setting.schema.optional().transform((value) => value ?? setting.default)
}

type Text = { readonly text: string | undefined; readonly file?: string }

/** Returns the text of a setting. An empty variable counts as absent. */
function readText({ env, secret }: Setting, environment: Environment, command: string): Text {
  const text = environment[env] || undefined
  const file = secret ? environment[`${env}_FILE`] || undefined : undefined
  if (file === undefined) return { text }
  if (text !== undefined) throw new Error(`Cannot ${command}: set either ${env} or ${env}_FILE, not both`)
  try {
    return { text: readFileSync(file, 'utf8').trim(), file }
  } catch (cause) {
    throw new Error(`Cannot ${command}: the file of ${env}_FILE cannot be read`, { cause })
  }
}
