import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('the build of the console', () => {
  let copy: string
  const at = (path: string) => join(copy, 'packages/console', path)

  beforeAll(async () => {
    copy = await copySources()
  })
  afterAll(() => rm(copy, { recursive: true }))

  it('a page that was never built is built, with the placeholders that the service replaces', async () => {
    expect(await build()).toEqual({ code: 0, output: 'Building the console' })
    const page = await readFile(at('dist/index.html'), 'utf8')
    expect(page).toContain('__CONSOLE_SETTINGS__')
    const tags = page.match(/<(?:script|style|link rel="stylesheet")[^>]*>/g) ?? []
    expect(tags.length).toBeGreaterThan(1)
    expect(tags.filter((tag) => !tag.includes('nonce="__CONSOLE_NONCE__"'))).toEqual([])
    for (const [, path = ''] of page.matchAll(/(?:src|href)="__CONSOLE_ROOT__console\/([^"]+)"/g))
      await stat(at(`dist/${path}`))
    expect(await readFile(at('dist/licenses.md'), 'utf8')).toContain('preact')
  })

  it('a page whose sources are the same is not built again, and Vite is not loaded', async () => {
    const { ino } = await stat(at('dist'))
    await unlink(at('node_modules'))
    await writeFile(at('src/other.test.ts'), 'of no concern to the page')
    expect(await build()).toEqual({ code: 0, output: '' })
    await symlink(join(root, 'packages/console/node_modules'), at('node_modules'))
    expect((await stat(at('dist'))).ino).toBe(ino)
  })

  it('error: a build that fails names the cause, and leaves the last page', async () => {
    const page = await readFile(at('dist/index.html'), 'utf8')
    const source = await readFile(at('src/main.tsx'), 'utf8')
    await appendFile(at('src/main.tsx'), "\nimport { nothing } from './nowhere.ts'\nnothing()\n")
    const { code, output } = await build()
    expect(code).toBe(1)
    expect(output).toMatch(/^Building the console\nCannot build the console: [^]*'\.\/nowhere\.ts'[^]*src\/main\.tsx/)
    expect(output).toBe(stripVTControlCharacters(output))
    expect(await readFile(at('dist/index.html'), 'utf8')).toBe(page)
    expect(await readdir(at('build'))).toEqual([])
    await writeFile(at('src/main.tsx'), source)
    expect((await build()).output, 'the last page is of these sources').toBe('')
  })

  it('builds at the same time leave one whole page', async () => {
    await appendFile(at('src/styles/base.css'), '\n.new { color: red }\n')
    const results = await Promise.all([build(), build(), build()])
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
    const page = await readFile(at('dist/index.html'), 'utf8')
    const files = [...page.matchAll(/(?:src|href)="__CONSOLE_ROOT__console\/([^"]+)"/g)].map(([, path = '']) => path)
    for (const path of files) await stat(at(`dist/${path}`))
    expect(await readdir(at('build'))).toEqual([])
    expect((await build()).output).toBe('')
  })

  it('what a build leaves that is killed is removed by the next one', async () => {
    await appendFile(at('src/styles/base.css'), '\n.newer { color: red }\n')
    const ended = spawn(process.execPath, ['--eval', ''])
    await once(ended, 'exit')
    await mkdir(at(`build/${ended.pid}/assets`), { recursive: true })
    await mkdir(at(`build/${ended.pid}-last`))
    expect(await build()).toMatchObject({ code: 0 })
    expect(await readdir(at('build'))).toEqual([])
  })

  async function build(): Promise<{ readonly code: number | null; readonly output: string }> {
    const child = spawn(process.execPath, [at('scripts/build.ts')], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += String(data)))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output: output.trim() }
  }
})

/** Copies what the page is built from, so that a test can change it. */
async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(inject('diskFolder'), 'agio-console-build-'))
  const isSource = (path: string) => !/\/(node_modules|dist|console\/build)$/.test(path)
  for (const path of ['pnpm-lock.yaml', 'tsconfig.json', 'packages/console', 'packages/react', 'packages/sdk']) {
    await cp(join(root, path), join(copy, path), { recursive: true, filter: isSource })
  }
  for (const name of ['console', 'react', 'sdk']) {
    await symlink(join(root, 'packages', name, 'node_modules'), join(copy, 'packages', name, 'node_modules'))
  }
  return copy
}
