import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)

/** A shorter block, such as a colour with its ground, may be repeated. */
const minDeclarations = 3

it('no stylesheet repeats the declarations of another rule', async () => {
  const places = new Map<string, string[]>()
  for await (const file of glob('packages/*/src/**/*.css', { cwd: fileURLToPath(root) })) {
    for (const { place, declarations } of listRules(await readFile(new URL(file, root), 'utf8'))) {
      if (declarations.length < minDeclarations) continue
      const block = declarations.toSorted().join('; ')
      places.set(block, [...(places.get(block) ?? []), `${file}: ${place}`])
    }
  }
  expect([...places.values()].filter((rules) => rules.length > 1)).toEqual([])
})

it('each class that a component names is in its stylesheet', async () => {
  const missing: string[] = []
  for await (const file of glob('packages/*/src/**/*.tsx', { cwd: fileURLToPath(root) })) {
    const text = await readFile(new URL(file, root), 'utf8')
    for (const [, name = '', path = ''] of text.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)) {
      const sheet = await readFile(new URL(join(dirname(file), path), root), 'utf8')
      const classes = new Set(Array.from(sheet.matchAll(/\.([\w-]+)/g), ([, each]) => each))
      const named = Array.from(text.matchAll(new RegExp(`\\b${name}\\['([\\w-]+)'\\]`, 'g')), ([, each]) => each)
      missing.push(...named.filter((each) => !classes.has(each)).map((each) => `${file}: ${each}`))
    }
  }
  expect(missing).toEqual([])
})

type Rule = { readonly place: string; readonly declarations: readonly string[] }

/** Lists the rules of a stylesheet outside of `@` rules, where equal declarations have another meaning. */
function listRules(text: string): readonly Rule[] {
  const plain = text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
  return [...plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    place: selector.trim(),
    declarations: body.split(';').flatMap((line) => line.trim().replaceAll(/\s+/g, ' ') || []),
  }))
}
