import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createConsoleReader } from './servedFiles.ts'

const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'agio-console-reader-'))
afterAll(remove)

beforeAll(async () => {
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await mkdir(join(folder, 'dist-other'))
  await writeFile(join(folder, 'secret.json'), 'secret')
  await writeFile(join(folder, 'dist-other/secret.json'), 'secret')
  await writeFile(join(folder, 'dist/index.html'), 'page')
  await writeFile(join(folder, 'dist/assets/main.js'), 'script')
  await symlink('main.js', join(folder, 'dist/assets/same.js'))
  await symlink('../../secret.json', join(folder, 'dist/assets/secret.json'))
  await symlink('..', join(folder, 'dist/assets/up'))
  await symlink('loop.js', join(folder, 'dist/assets/loop.js'))
  await symlink('dist', join(folder, 'current'))
})

const read = async (path: string, name = 'dist') => {
  const bytes = await createConsoleReader(join(folder, name))(path)
  return bytes && new TextDecoder().decode(bytes)
}

it('the files of a built console are read, also where the folder or a file is a link', async () => {
  expect(await read('index.html')).toBe('page')
  expect(await read('assets/main.js')).toBe('script')
  expect(await read('assets/same.js')).toBe('script')
  expect(await read('index.html', 'current')).toBe('page')
})

it.each([
  'none.html',
  'assets',
  'assets/',
  'index.html/none.js',
  '',
  '.',
  '..',
  '../secret.json',
  '../dist-other/secret.json',
  'assets/../../secret.json',
  'assets/secret.json',
  'assets/up/../../secret.json',
  'assets/loop.js',
  `assets/${'a'.repeat(300)}.js`,
  '/etc/passwd',
])('the console reader returns no file for %j', async (path) => {
  expect(await read(path)).toBeUndefined()
})

it('a folder that does not exist has no files', async () => {
  expect(await read('index.html', 'none')).toBeUndefined()
})
