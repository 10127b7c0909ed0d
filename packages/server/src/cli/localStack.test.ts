import { Network } from '@agio/core'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findLocalStack, registerLocalStack } from './localStack.ts'

const rpcUrls = Network.map((chainId) => `http://127.0.0.1:${Network.toLocalRpcPort(chainId, 9000)}`)
const stack = { rpcUrls, service: { url: 'http://127.0.0.1:4000', adminKey: 'local-admin-key' } }

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agio-stack-'))
  file = join(folder, '.local/stack.json')
})

afterEach(() => rm(folder, { recursive: true }))

it('findLocalStack returns a registered stack until it is disposed', async () => {
  expect(await findLocalStack(file)).toBeUndefined()
  const registered = await registerLocalStack(stack, file)
  expect(await findLocalStack(file)).toEqual({ pid: process.pid, ...stack })
  await registered[Symbol.asyncDispose]()
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
})

it('the stack file is readable only by its owner, even if it replaces a file that others could read', async () => {
  await registerLocalStack(stack, file)
  await rm(file)
  await writeFile(file, '{}', { mode: 0o644 })
  await registerLocalStack(stack, file)
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
})

it('findLocalStack ignores the file of a process that has ended', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--print', 'process.pid'])
  await registerLocalStack(stack, file)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(`"pid": ${process.pid}`, `"pid": ${stdout.trim()}`))
  expect(await findLocalStack(file)).toBeUndefined()
})

it('disposing a stack keeps the file that another process has written since', async () => {
  const registered = await registerLocalStack(stack, file)
  const other = { pid: process.ppid, ...stack }
  await writeFile(file, JSON.stringify(other))
  await registered[Symbol.asyncDispose]()
  expect(await findLocalStack(file)).toEqual(other)
})

it.each(['', 'null', '{}', '{"pid":"1"}', '[]'])('findLocalStack ignores a file that contains %j', async (text) => {
  await registerLocalStack(stack, file)
  await writeFile(file, text)
  expect(await findLocalStack(file)).toBeUndefined()
})
