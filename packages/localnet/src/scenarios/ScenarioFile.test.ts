import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineScenarioFile, parseScenarioFile, readScenarioFile } from './ScenarioFile.ts'

const chains = [{ chainId: 84532, oracles: ['tAUD', 'tEUR'], pools: ['tAUD/tUSD'], active: [] }] as const

const parse = (file: unknown) => parseScenarioFile(file, chains)

test('a scenario file is parsed into steps with their milliseconds and the options of their scenarios', () => {
  const file = defineScenarioFile({
    steps: [
      { at: '0s', run: 'price-move', symbol: 'tAUD', percent: -3 },
      { at: '500ms', run: 'rpc-slow', ms: 20, chainId: 84532 },
      { at: '1.5m', run: 'reset' },
      { at: '2h', run: 'reset', chainId: 84532 },
    ],
  })
  expect(parse(file)).toEqual([
    { atMs: 0, name: 'price-move', fields: { symbol: 'tAUD', percent: -3 } },
    { atMs: 500, name: 'rpc-slow', fields: { ms: 20, chainId: 84532 } },
    { atMs: 90_000, name: 'reset', fields: {} },
    { atMs: 7_200_000, name: 'reset', fields: { chainId: 84532 } },
  ])
})

test.each([
  ['a list', [], 'it must be an object with steps: { "steps": [ … ] }'],
  ['no steps', {}, 'steps must be a list of steps'],
  [
    'an unknown field',
    { steps: [{ at: '0s', run: 'mine' }], loop: true },
    'it has unknown fields: only "steps" is known',
  ],
])('a scenario file that is or has %s is refused with what to do', (_, file, reason) => {
  expect(parseError(file)).toContain(`Cannot run the scenario file: ${reason}`)
})

const badTime = 'steps[0].at must be a time such as "500ms", "4s" or "2m"'

test.each<[what: string, steps: readonly unknown[], reason: string]>([
  ['no step', [], 'steps must have at least one step'],
  ['a step that is a name', ['mine'], 'steps[0] must be an object such as { "at": "4s", "run": "rpc-down" }'],
  ['a step without a time', [{ run: 'mine' }], badTime],
  ['a time without a unit', [{ at: '4', run: 'mine' }], `${badTime}, and is "4"`],
  ['a time after a day', [{ at: '25h', run: 'mine' }], 'steps[0].at is "25h": the latest time is "24h"'],
  ['a step without a name', [{ at: '4s' }], 'steps[0].run must be the name of a scenario, or "reset"'],
  [
    'an unknown scenario',
    [{ at: '0s', run: 'rpc-dwn' }],
    "steps[0].run: 'rpc-dwn' is not a scenario. The scenarios are ",
  ],
  ['an unknown option', [{ at: '0s', run: 'mine', depth: 2 }], 'steps[0] (mine): Cannot read depth: unknown option'],
  ['a missing option', [{ at: '0s', run: 'rpc-slow' }], 'steps[0] (rpc-slow): Cannot read ms: it is missing'],
  [
    'a chain that was not started',
    [{ at: '0s', run: 'mine', chainId: 421614 }],
    'steps[0] (mine): Cannot use chain 421614: the service serves only 84532',
  ],
  [
    'steps out of order',
    ['4s', '3s'].map((at) => ({ at, run: 'mine' })),
    'steps[1].at is before the time of the previous step. Order the steps by time',
  ],
])('a scenario file with %s is refused with the field and what to do', (_, steps, reason) => {
  expect(parseError({ steps })).toContain(`Cannot run the scenario file: ${reason}`)
})

function parseError(file: unknown): string {
  try {
    parse(file)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The file is accepted')
}

test('a scenario file is read from JSON and from the default export of a TypeScript module, and a bad one names its path', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'agio-scenario-file-'))
  const write = async (name: string, text: string) => {
    await writeFile(join(folder.path, name), text)
    return join(folder.path, name)
  }
  const steps = [{ at: '0s', run: 'mine' }]
  expect(await readScenarioFile(await write('a.json', JSON.stringify({ steps })))).toEqual({ steps })
  const source = `const steps: readonly object[] = ${JSON.stringify(steps)}\nexport default { steps }\n`
  expect(await readScenarioFile(await write('a.ts', source))).toEqual({ steps })
  const broken = await write('broken.json', '{')
  await expect(readScenarioFile(broken)).rejects.toThrow(`Cannot read scenario file ${broken}: `)
  const named = await write('named.ts', 'export const steps = []\n')
  await expect(readScenarioFile(named)).rejects.toThrow(`Cannot read scenario file ${named}: it has no default export`)
  const missing = join(folder.path, 'missing.json')
  await expect(readScenarioFile(missing)).rejects.toThrow(`Cannot read scenario file ${missing}: ENOENT`)
})
