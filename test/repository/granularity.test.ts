import { readFile, readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { listSources, readFileImports } from './imports.ts'

const root = new URL('../../', import.meta.url)
const packages = await readdir(new URL('packages', root))

/** Written by `pnpm generate`. */
const generated =
  /^packages\/(sdk\/src\/(admin\/adminSchemas|api\/(AgioApi|schemas)|errors\/ErrorDetails)\.ts$|chain\/src\/abi\/)/

/** The file that lists the procedures: each of its imports is a file of its own, however short. */
const procedures = 'src/router/appRouter.ts'

const minLines = 25
const maxLines = 300

it.each(packages)(
  `a file of %s under ${minLines} lines has two importers, unless it is a procedure or an export of the package`,
  async (name) => {
    const imports = await readFileImports(`packages/${name}/`)
    const importersOf = listImporters(imports)
    const short = []
    for (const path of imports.keys()) {
      const file = `packages/${name}/${path}`
      if (!path.startsWith('src/') || isTest(path) || generated.test(file) || (await countLines(file)) >= minLines)
        continue
      const importers = importersOf.get(path) ?? []
      if (importers.length === 1 && !isExempt(importers[0] ?? '')) short.push(`${path} belongs to ${importers[0]}`)
    }
    expect(short).toEqual([])
  },
)

it.each([
  ['packages', [...packages.map((name) => `packages/${name}/src/`), 'packages/store/testing/']],
  ['test', ['test/']],
  ['tools', ['tools/']],
])(`no file of %s has more than ${maxLines} lines`, async (_, folders) => {
  const files = (await Promise.all(folders.map(listSources)))
    .flat()
    .map(({ pathname }) => pathname.slice(root.pathname.length))
    .filter((file) => !generated.test(file))
  const sizes = await Promise.all(files.map(async (file) => ({ file, lines: await countLines(file) })))
  expect(sizes.filter(({ lines }) => lines > maxLines)).toEqual([])
})

/** The files that import each file, tests left out: a test does not make a file shared. */
function listImporters(imports: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  for (const [path, imported] of imports) {
    if (isTest(path) || !/^(src|testing)\//.test(path)) continue
    for (const target of imported) importers.set(target, [...(importers.get(target) ?? []), path])
  }
  return importers
}

function isExempt(importer: string): boolean {
  return importer === procedures || importer.endsWith('/index.ts')
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

async function countLines(file: string): Promise<number> {
  return (await readFile(new URL(file, root), 'utf8')).split('\n').length - 1
}
