import { expect, it } from 'vitest'
import { createBuiltConsole } from './createBuiltConsole.ts'

const createFiles = (files: Readonly<Record<string, string>>) => ({
  async readFile(path: string) {
    const text = files[path]
    return text === undefined ? undefined : new TextEncoder().encode(text)
  },
})

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
