import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url)

/** What each package may import of ours. `types` means `import type` only: the values arrive in the context. */
const allowed: Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }> = {
  core: { values: [] },
  chain: { values: ['core'] },
  store: { values: ['core'] },
  api: { values: ['core'], types: ['chain', 'store'] },
  server: { values: ['core', 'chain', 'store', 'api'] },
  localnet: { values: ['core', 'chain', 'server'] },
}

const importPattern = /^(?:import|export) (type )?[^'"]*?from '@agio\/(\w+)[^']*'|import\('@agio\/(\w+)/gm

it('ARCHITECTURE.md shows the same table', async () => {
  const architecture = await readFile(new URL('ARCHITECTURE.md', root), 'utf8')
  for (const [name, { values, types = [] }] of Object.entries(allowed)) {
    const list = [...values.map((other) => `\`${other}\``), ...types.map((other) => `\`${other}\` (types)`)]
    expect(architecture).toContain(`| \`packages/${name}\` | ${list.join(', ') || 'nothing'} |`)
  }
})

it('every package is in the table', async () => {
  expect((await readdir(new URL('packages', root))).toSorted()).toEqual(Object.keys(allowed).toSorted())
})

it('the root lists no package of ours', async () => {
  expect(ownDependencies(await readManifest('package.json'))).toEqual([])
})

it.each(Object.keys(allowed))('%s declares and imports only what it may', async (name) => {
  const { values, types = [] } = allowed[name] ?? { values: [] }
  const declared = ownDependencies(await readManifest(`packages/${name}/package.json`))
  expect([...values, ...types]).toEqual(expect.arrayContaining(declared))
  for (const file of await listSources(`packages/${name}/src/`)) {
    for (const [statement, isType, from, dynamic] of (await readFile(file, 'utf8')).matchAll(importPattern)) {
      const imported = from ?? dynamic ?? ''
      expect(isType ? [...values, ...types] : values, `${file.pathname}: ${statement}`).toContain(imported)
      expect(declared, `${name} declares ${imported}`).toContain(imported)
    }
  }
})

async function readManifest(path: string): Promise<Record<string, Record<string, string>>> {
  return JSON.parse(await readFile(new URL(path, root), 'utf8')) as Record<string, Record<string, string>>
}

function ownDependencies(manifest: Record<string, Record<string, string>>): string[] {
  const names = Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] })
  return names.filter((name) => name.startsWith('@agio/')).map((name) => name.slice('@agio/'.length))
}

async function listSources(folder: string): Promise<URL[]> {
  const base = new URL(folder, root)
  const files = await readdir(base, { recursive: true })
  return files.filter((file) => file.endsWith('.ts')).map((file) => new URL(file, base))
}
