import { devSettings, serviceSettings } from '@agio/localnet/commands'
import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { createProgram, listCommands } from './createProgram.ts'

/** Runs a command line without running its command, and returns what it prints. */
async function run(...args: readonly string[]): Promise<string> {
  const printed: string[] = []
  const output = { writeOut: (text: string) => printed.push(text), writeErr: (text: string) => printed.push(text) }
  const program = await createProgram(args[0])
  for (const command of listCommands(program)) command.configureOutput(output)
  await program.parseAsync(args, { from: 'user' }).catch(() => {})
  return printed.join('')
}

const page = readFileSync(new URL('../../../../docs/develop/command.md', import.meta.url), 'utf8')

test.each([
  ['dev', devSettings],
  ['serve', serviceSettings],
] as const)('agio %s --help lists every setting that the command reads', async (name, settings) => {
  const help = await run(name, '--help')
  const listed = Array.from(help.matchAll(/^ {2}([A-Z][A-Z_\d]+) /gm), ([, variable]) => variable)
  expect(listed).toEqual(Object.values(settings).map(({ env }) => env))
})

it('each command has a help text with lines of at most 100 characters, and no option takes a key', async () => {
  const program = await createProgram()
  const visit = async (command: typeof program, path: readonly string[]): Promise<void> => {
    const help = await run(...path, '--help')
    expect(help).toMatch(new RegExp(`^Usage: ${['agio', ...path].join(' ')}`))
    expect(help.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(command.options.map(({ long }) => long).filter((long) => long?.endsWith('key'))).toEqual([])
    for (const below of command.commands) await visit(below as typeof command, [...path, below.name()])
  }
  await visit(program, [])
})

it('the page of the command has a row with each command', async () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `agio '))
  const listed = rows.flatMap((row) =>
    Array.from(row.split(' | ')[0]?.matchAll(/`(?:agio )?(\w+)/g) ?? [], ([, name]) => name),
  )
  const names = (await createProgram()).commands.map((command) => command.name())
  expect(new Set(listed)).toEqual(new Set(names))
})

it('each command is found when only its module is loaded', async () => {
  for (const command of (await createProgram()).commands) {
    const { commands } = await createProgram(command.name())
    expect(commands.map((found) => found.name())).toContain(command.name())
    expect(commands.length, command.name()).toBeLessThan(8)
  }
})

test.each([
  [['sevre'], "unknown command 'sevre'\n(Did you mean serve?)"],
  [['dev', '--rpcport', '1'], "unknown option '--rpcport'\n(Did you mean --rpc-port?)"],
  [['keys', 'lisst'], "unknown command 'lisst'\n(Did you mean list?)"],
  [['scenario', 'stale-prise'], '(Did you mean stale-price?)'],
])('error: for %j the parser suggests the word that was probably meant', async (args, message) => {
  expect(await run(...args)).toContain(message)
})
