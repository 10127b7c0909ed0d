import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Compiles files with the solc of the project, in memory.
 *
 * @param files paths from the root of the project
 * @param settings the settings of solc's standard JSON
 * @param changed the source of files that differ from the project
 * @throws SolcError if a file does not compile
 */
export function compile(
  files: readonly string[],
  settings: object,
  changed: ReadonlyMap<string, string> = new Map(),
): Compiled {
  const sources = new Map<string, string>()
  const load = (path: string): string | undefined => {
    const found = [root + path, `${root}node_modules/${path}`].find((candidate) => existsSync(candidate))
    if (found === undefined) return undefined
    const source = changed.get(path) ?? readFileSync(found, 'utf8')
    sources.set(path, source)
    return source
  }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: load(file) }])),
    settings,
  }
  const findImport = (path: string) => {
    const contents = load(path)
    return contents === undefined ? { error: `Cannot find ${path}` } : { contents }
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }) as string) as SolcOutput
  const error = output.errors?.find(({ severity }) => severity === 'error')
  if (error) throw new SolcError(error.formattedMessage)
  return { output, sources }
}

/** An error in the compiled code, with the message of solc. */
export class SolcError extends Error {}

/** The output of solc, and the source of all files that it has read. */
type Compiled = { readonly output: SolcOutput; readonly sources: ReadonlyMap<string, string> }

type SolcOutput = {
  readonly sources: Record<string, { readonly ast: unknown }>
  readonly contracts?: Record<string, Record<string, SolcContract>>
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
}

/** A compiled contract. Its code has no prefix. */
export type SolcContract = {
  readonly abi: readonly { readonly type: string; readonly name?: string }[]
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}
