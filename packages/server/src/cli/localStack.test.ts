import { Network } from '@agio/core'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findLocalStack, isStackName, listLocalStacks, registerLocalStack, toStacksFolder } from './localStack.ts'

const rpcUrls = Network.map((chainId) => `http://127.0.0.1:${Network.toLocalRpcPort(chainId, 9000)}`)
const contracts = Network.map(() => ({ router: '0x1', pools: ['0x2'] }))
const service = { url: 'http://127.0.0.1:4000', apiKey: 'local-key', adminKey: 'local-admin-key' }
const stack = { rpcUrls, contracts, service }

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agio-stacks-'))
})

afterEach(() => rm(folder, { recursive: true }))

it('findLocalStack returns a registered stack until it is disposed', async () => {
  expect(await findLocalStack(undefined, folder)).toBeUndefined()
  const registered = await registerLocalStack(stack, folder)
  expect(await findLocalStack(undefined, folder)).toMatchObject({ name: 'default', pid: process.pid, ...stack })
  await registered[Symbol.asyncDispose]()
  expect(await readdir(folder)).toEqual([])
})

it('a second stack without a name takes another name, and commands without a name use the first one', async () => {
  const first = await registerLocalStack(stack, folder)
  const second = await registerLocalStack(stack, folder)
  expect([first.name, second.name]).toEqual(['default', 'default-2'])
  expect((await findLocalStack(undefined, folder))?.name).toBe('default')
  await first[Symbol.asyncDispose]()
  expect((await findLocalStack(undefined, folder))?.name).toBe('default-2')
})

it('stacks with names run side by side, and each is found by its name', async () => {
  await registerLocalStack({ name: 'one', ...stack }, folder)
  await registerLocalStack({ name: 'two', ...stack }, folder)
  expect((await findLocalStack('one', folder))?.name).toBe('one')
  expect((await findLocalStack(undefined, folder))?.name).toBe('two')
  expect((await listLocalStacks(folder)).map(({ name }) => name)).toEqual(['one', 'two'])
})

it('error: a name that a running stack has cannot be taken', async () => {
  await registerLocalStack({ name: 'one', ...stack }, folder)
  const reason = `Cannot start: process ${process.pid} runs a local stack named 'one'. Pass another --name`
  await expect(registerLocalStack({ name: 'one', ...stack }, folder)).rejects.toThrow(reason)
})

it('the file of a stack is readable only by its owner, even if it replaces a file that others could read', async () => {
  await writeFile(join(folder, 'default.json'), '{}', { mode: 0o644 })
  await registerLocalStack(stack, folder)
  expect(((await stat(join(folder, 'default.json'))).mode & 0o777).toString(8)).toBe('600')
})

it('the file of a process that has ended is ignored and replaced', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--print', 'process.pid'])
  const file = join(folder, 'default.json')
  await registerLocalStack(stack, folder)
  await writeFile(file, (await readFile(file, 'utf8')).replace(`"pid": ${process.pid}`, `"pid": ${stdout.trim()}`))
  expect(await findLocalStack('default', folder)).toBeUndefined()
  expect((await registerLocalStack(stack, folder)).name).toBe('default')
})

it('disposing a stack keeps the file that another process has written since', async () => {
  const registered = await registerLocalStack(stack, folder)
  const other = { name: 'default', pid: process.ppid, ...stack }
  await writeFile(join(folder, 'default.json'), JSON.stringify(other))
  await registered[Symbol.asyncDispose]()
  expect(await findLocalStack('default', folder)).toEqual(other)
})

it.each(['', '{"pid":"1"}'])('findLocalStack ignores a file that contains %j', async (text) => {
  await writeFile(join(folder, 'default.json'), text)
  expect(await findLocalStack(undefined, folder)).toBeUndefined()
})

it('a name of a stack is a name of a file', () => {
  expect(['default', 'a', 'test-1', 'B_2'].map(isStackName)).toEqual([true, true, true, true])
  expect(['', '.', '../x', 'a/b', 'a b', '-a', 'x'.repeat(41)].map(isStackName)).toEqual(Array(7).fill(false))
})

it('stacks are registered in the state folder of the user', () => {
  expect(toStacksFolder({ XDG_STATE_HOME: '/state' })).toBe('/state/agio/stacks')
  expect(toStacksFolder({})).toMatch(/\.local\/state\/agio\/stacks$/)
})
