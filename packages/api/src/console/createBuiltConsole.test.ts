import { expect, it } from 'vitest'
import { createBuiltConsole } from './createBuiltConsole.ts'

function createFiles(initial: Readonly<Record<string, string>>) {
  let files = initial
  const readFile = async (path: string) => {
    const text = files[path]
    return text === undefined ? undefined : new TextEncoder().encode(text)
  }
  return { readFile, replace: (next: Readonly<Record<string, string>>) => (files = next) }
}

it.each([
  ['main-1.js', 'text/javascript; charset=utf-8'],
  ['main-1.css', 'text/css; charset=utf-8'],
  ['icon-1.svg', 'image/svg+xml'],
  ['picture-1.png', 'image/png'],
  ['Inter-1.woff2', 'font/woff2'],
  ['data-1.json', 'application/json'],
])('the asset %s is %s, and never changes', async (name, mediaType) => {
  const { findAsset } = createBuiltConsole(createFiles({ [`assets/${name}`]: 'content' }))
  const response = await (await findAsset(`assets/${name}`))?.(new Headers())
  expect(response?.headers.get('content-type')).toBe(mediaType)
  expect(response?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await response?.text()).toBe('content')
})

it.each(['assets/page.html', 'assets/main.js.map', 'assets/main', 'assets/run.sh'])(
  'a file of another type, such as %s, is not an asset',
  async (path) => {
    expect(await createBuiltConsole(createFiles({ [path]: 'content' })).findAsset(path)).toBeUndefined()
  },
)

it('the assets of a build are forgotten once another one has replaced it', async () => {
  const files = createFiles({ 'index.html': 'first', 'assets/a-1.js': 'a' })
  const { readTemplate, findAsset } = createBuiltConsole(files)
  expect(await readTemplate()).toBe('first')
  await findAsset('assets/a-1.js')
  files.replace({ 'index.html': 'second', 'assets/a-2.js': 'a' })
  expect(await readTemplate()).toBe('second')
  expect(await findAsset('assets/a-1.js')).toBeUndefined()
  expect(await findAsset('assets/a-2.js')).toBeDefined()
})

it('a console that is not built has no page, until it is', async () => {
  const files = createFiles({})
  const { readTemplate } = createBuiltConsole(files)
  expect(await readTemplate()).toBeUndefined()
  files.replace({ 'index.html': 'page' })
  expect(await readTemplate()).toBe('page')
})
