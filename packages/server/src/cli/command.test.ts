import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

const root = join(import.meta.dirname, '../../../..')

it.each([
  ['packages/localnet/src/start.ts', 'pnpm start '],
  ['packages/localnet/src/main.ts', 'pnpm localnet '],
  ['packages/localnet/src/sign.ts', 'pnpm sign '],
  ['packages/localnet/src/scenario.ts', 'pnpm scenario '],
  ['packages/localnet/src/deploy.ts', 'pnpm contracts:deploy '],
  ['packages/server/src/keys.ts', 'Usage:\n  pnpm keys '],
  ['packages/server/src/node.ts', 'pnpm serve'],
])('%s --help prints its usage, and starts nothing', async (entry, usage) => {
  for (const args of [['--help'], ['--', '-h']]) {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [entry, ...args], { cwd: root })
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(new RegExp(`^${usage}`)), stderr: '' })
  }
})

it('a process that prints to a full disk goes on', async () => {
  const module = join(import.meta.dirname, 'command.ts')
  const code = `const { ignoreOutputErrors } = await import(${JSON.stringify(module)})
    ignoreOutputErrors()
    const print = () => { console.log('lost'); console.error('lost') }
    print()
    setTimeout(print, 10)
    setTimeout(() => process.exit(7), 20)`
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', full, full] })
  closeSync(full)
  expect(await once(child, 'exit')).toEqual([7, null])
})
