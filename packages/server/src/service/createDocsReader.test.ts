import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDocsReader } from './createDocsReader.ts'

const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'agio-docs-reader-'))
afterAll(remove)

beforeAll(async () => {
  await mkdir(join(folder, 'docs/guide'), { recursive: true })
  await mkdir(join(folder, 'docs/.git'))
  await mkdir(join(folder, 'secrets'))
  const paths = ['README.md', 'guide/convert.md', 'guide/a.png', 'guide/.hidden.md', '.git/x.md', 'key.pem', 'a b.md']
  for (const path of paths) await writeFile(join(folder, 'docs', path), path)
  await writeFile(join(folder, 'secrets/secret.md'), 'secret')
  await symlink('../secrets/secret.md', join(folder, 'docs/linked.md'))
  await symlink('../secrets', join(folder, 'docs/linked'))
})

it('the reader lists pages and pictures, but neither hidden files nor links to other folders', async () => {
  const { listFiles, readFile } = createDocsReader(join(folder, 'docs'))
  expect((await listFiles()).toSorted()).toEqual(['README.md', 'guide/a.png', 'guide/convert.md'])
  expect(new TextDecoder().decode(await readFile('guide/convert.md'))).toBe('guide/convert.md')
})

it('a folder that does not exist has no documentation', async () => {
  expect(await createDocsReader(join(folder, 'none')).listFiles()).toEqual([])
})
