import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Network } from '@agio/core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { killOnExit } from '../../harness/killOnExit.ts'
import { getCatalogVersion, installPackages, installTool } from '../npm.ts'
import { run, runOrThrow } from '../run.ts'

const packAll = fileURLToPath(new URL('../../../packages/cli/scripts/packAll.ts', import.meta.url))
const projects = fileURLToPath(new URL('../projects/stack/', import.meta.url))

const python = fileURLToPath(new URL('../../../examples/python/', import.meta.url))

const hardhatPage = fileURLToPath(new URL('../../../docs/develop/hardhat.md', import.meta.url))

let folder: string
let project: string
let tarballs: readonly string[]
let nodes: Readonly<Record<'20' | '22' | '24', string>>

// One installation for all tests: it takes the longest.
beforeAll(async () => {
  if (!inject('isOnline')) return
  folder = await mkdtemp(join(inject('diskFolder'), 'agio-installed-'))
  project = join(folder, 'project')
  await mkdir(project)
  await cp(projects, project, { recursive: true })
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const [node20, node22] = await Promise.all(['20.20.2', '22.23.3'].map(findNode))
  nodes = { 20: node20 ?? '', 22: node22 ?? '', 24: process.execPath }
  await runOrThrow(process.execPath, [packAll, folder], { cwd: folder })
  tarballs = ['agio-sdk', 'agio-localnet', 'agio'].map((name) => join(folder, `${name}-2.1.0.tgz`))
  const sizes = await Promise.all(tarballs.map(async (file) => (await stat(file)).size))
  const startedAt = performance.now()
  const env = await createEnvironment(nodes[22], folder)
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs]
  await runOrThrow('npm', args, { cwd: project, env })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`packed: ${sizes.map((size) => `${(size / 1e6).toFixed(1)} MB`).join(', ')}; installed in ${seconds} s`)
})
afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true })
})

describe.skipIf(!inject('isOnline'))('the tarballs, installed in an empty folder from an empty cache', () => {
  it('serve two stacks side by side on Node 22 and 24, convert by command, and leave nothing when they stop', async () => {
    const [one, two] = await Promise.all([createEnvironment(nodes[22], folder), createEnvironment(nodes[24], folder)])
    await using first = await startDev(project, one)
    await using second = await startDev(project, two)
    for (const stack of [first, second]) await assertComplete(stack)
    for (const env of [one, two]) {
      const agio = (...args: readonly string[]) =>
        runOrThrow('npx', ['--no-install', 'agio', ...args], { cwd: project, env })
      await agio('fund', '1000', 'tAUD', '--account', '2')
      expect(await agio('convert', '100', 'tAUD', 'tUSD', '--account', '2', '--yes')).toMatch(/65\.0[678]/)
    }
    expect(await first.stop('SIGINT')).toEqual([])
    expect(await second.stop('SIGTERM')).toEqual([])
  })

  it('convert, travel and restore in a project with node:test', async () => {
    const env = await createEnvironment(nodes[22], folder)
    await runOrThrow(nodes[22], ['--test', 'convert.test.mjs'], { cwd: project, env })
  })

  it.each([
    ['3.2.7', '22'],
    ['4.0.18', '22'],
    ['', '24'],
  ] as const)('beside vitest %s, ten tests run against one stack on Node %s', async (vitest, version) => {
    await installPackages(project, [`vitest@${vitest || (await getCatalogVersion('vitest'))}`], true)
    const env = await createEnvironment(nodes[version], folder)
    const args = ['node_modules/vitest/vitest.mjs', 'run']
    expect(await runOrThrow(nodes[version], args, { cwd: project, env })).toContain('10 passed')
  })

  it('give Hardhat the networks, the types and the test of docs/develop/hardhat.md, as printed', async () => {
    const [, text = ''] = (await readFile(hardhatPage, 'utf8')).split('## In a project of your own')
    const [section = ''] = text.split('\n## ')
    const own = join(folder, 'hardhat')
    for (const [, name = '', code = ''] of section.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)) {
      await mkdir(dirname(join(own, name)), { recursive: true })
      await writeFile(join(own, name), code)
    }
    await writeFile(join(own, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const plugins = section.match(/\S*(?:hardhat|solc)[\w-]*@[\d.]+/g) ?? []
    const others = ['viem', 'typescript', '@types/node'].map(async (name) => `${name}@${await getCatalogVersion(name)}`)
    await installPackages(own, [...tarballs.slice(0, 2), ...plugins, ...(await Promise.all(others))], true)
    const env = { ...(await createEnvironment(nodes[24], folder)), HARDHAT_DISABLE_TELEMETRY: 'true' }
    expect(await runOrThrow('npx', ['hardhat', 'test'], { cwd: own, env })).toContain('1 passing')
    const types = ['tsc', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', 'node']
    await runOrThrow('npx', [...types, 'hardhat.config.ts', 'test/swap.test.ts'], { cwd: own, env })
  })

  it('say in one sentence on Node 20 which Node they need', async () => {
    const { code, stdout, stderr } = await run(nodes[20], ['node_modules/agio/bin/agio.cjs', 'dev'], { cwd: project })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^agio needs Node 22\.19 or newer, and this is Node 20\.20\.2\. Reinstall [^\n]+\n$/)
  })
})

/** Asserts that a stack serves what the packages contain, has scenarios, and converts from Python. Prints its start. */
async function assertComplete({ url, pid, readyMs, rpcUrls }: InstalledStack): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const memory = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1000
  console.log(`ready in ${(readyMs / 1000).toFixed(1)} s, memory ${memory.toFixed(0)} MB`)
  for (const path of [
    'console',
    'docs',
    'docs/api',
    'docs/reference.js',
    'openapi.json',
    'downloads/agio-sdk.tgz',
    'downloads/agio-convert.js',
  ]) {
    expect([path, (await fetch(`${url}/${path}`)).status]).toEqual([path, 200])
  }
  const headers = { 'x-admin-key': 'local-admin-key' }
  for (const name of ['price-move', 'reset']) {
    const body = name === 'reset' ? {} : { symbol: 'tAUD', percent: -3 }
    const request = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    expect([name, (await fetch(`${url}/local/scenarios/${name}`, request)).status]).toEqual([name, 200])
  }
  const env = { AGIO_URL: url, RPC_URL: rpcUrls[84532] }
  expect(await runOrThrow('python3', ['convert.py'], { cwd: python, env })).toContain('paid 100.000000 tAUD')
  expect(await runOrThrow('python3', ['webhook.py'], { cwd: python, env })).toBe('received webhook.test\n')
}

/** Installs a version of Node, and returns its program. */
async function findNode(version: string): Promise<string> {
  return join(await installTool(inject('tools'), { name: 'node', version }), 'bin/node')
}

/** Returns the environment of a user who has this Node, an empty home and an own folder of temporary files. */
async function createEnvironment(node: string, folder: string): Promise<Record<string, string>> {
  const home = await mkdtemp(join(folder, 'home-'))
  const temporary = await mkdtemp(join(folder, 'tmp-'))
  const path = [dirname(node), process.env['PATH'] ?? ''].join(delimiter)
  const registry = process.env['npm_config_registry']
  return {
    PATH: path,
    HOME: home,
    XDG_STATE_HOME: home,
    // npm would keep its compiled modules among the temporary files.
    NODE_DISABLE_COMPILE_CACHE: '1',
    TMPDIR: temporary,
    npm_config_cache: join(home, '.npm'),
    ...(registry !== undefined && { npm_config_registry: registry }),
  }
}

/** Runs `npx --no-install agio dev --json` on free ports until it is ready. @throws `Error` if it ends before */
async function startDev(cwd: string, env: Readonly<Record<string, string>>): Promise<InstalledStack> {
  const startedAt = performance.now()
  const args = ['--no-install', 'agio', 'dev', '--json', '--port', '0', '--rpc-port', '0']
  // As in a terminal, npx and its children are one group of processes.
  const child = spawn('npx', args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  killOnExit(child)
  const closed = once(child.stdout, 'close')
  let ready: Ready | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as Partial<Ready>
    if (event.url !== undefined && event.pid !== undefined) {
      ready = event as Ready
      break
    }
  }
  if (!ready) throw new Error('Cannot test agio dev: it has ended')
  child.stdout.resume()
  return {
    ...ready,
    readyMs: performance.now() - startedAt,
    async stop(signal) {
      process.kill(signal === 'SIGINT' ? -(child.pid ?? 0) : (child.pid ?? 0), signal)
      // The command holds the pipe until it has ended.
      await closed
      return await readdir(env['TMPDIR'] ?? '')
    },
    async [Symbol.asyncDispose]() {
      if (!child.stdout.closed) process.kill(-(child.pid ?? 0), 'SIGKILL')
    },
  }
}

type Ready = {
  readonly url: string
  readonly pid: number
  readonly rpcUrls: Readonly<Record<Network.ChainId, string>>
}

/** A running `agio dev` of an installed package. Disposing it kills it. */
type InstalledStack = Ready &
  AsyncDisposable & {
    readonly readyMs: number
    /**
     * Stops the command: SIGINT reaches the group, like Ctrl-C, and SIGTERM only `npx`. Returns the temporary files that remain.
     */
    stop(signal: 'SIGINT' | 'SIGTERM'): Promise<readonly string[]>
  }
