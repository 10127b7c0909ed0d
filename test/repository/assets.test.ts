import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { listSources } from './imports.ts'

const root = new URL('../../', import.meta.url)

/** Files that use their own path, and that the bundle of `@agio/localnet` leaves out or does not depend on. */
const exceptions = new Set([
  'packages/localnet/src/node/createHre.ts',
  'packages/server/src/deno/toDenoCommand.ts',
  'packages/server/src/deno/toDenoPermissions.ts',
])

it('store, server and localnet find the files that they read by assets.ts alone, which their bundle replaces', async () => {
  const folders = ['store', 'server', 'localnet'].map((name) => `packages/${name}/src/`)
  const files = (await Promise.all(folders.map(listSources))).flat().filter((url) => !url.pathname.endsWith('.test.ts'))
  const users = []
  for (const file of files) if (/import\.meta\./.test(await readFile(file, 'utf8'))) users.push(file)
  const paths = users.map(({ pathname }) => pathname.slice(root.pathname.length))
  expect(paths.filter((path) => !exceptions.has(path)).toSorted()).toEqual([
    'packages/localnet/src/assets/assets.ts',
    'packages/server/src/assets/assets.ts',
    'packages/store/src/assets/assets.ts',
  ])
})
