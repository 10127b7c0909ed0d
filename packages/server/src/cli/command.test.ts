import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

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
