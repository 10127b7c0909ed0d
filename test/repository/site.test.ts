import { expect, it } from 'vitest'
import { createDocsSite } from '../../packages/api/src/docs/createDocsSite.ts'
import { assets } from '../../packages/server/src/assets/assets.ts'
import { createDocsReader } from '../../packages/server/src/service/createDocsReader.ts'

const docs = createDocsReader(assets.docs)
const site = await createDocsSite({ docs, readOpenApi: async () => new TextEncoder().encode('{}') })
const files = (await docs.listFiles()).filter((file) => file.endsWith('.md'))
const pages = new Map<string, string>()
for (const [path, document] of site) {
  const response = await document(new Headers())
  if (response.headers.get('content-type')?.startsWith('text/html')) pages.set(path, await response.text())
}

it('each page of docs/ has its own URL', () => {
  // All URLs but the API reference's.
  expect(pages.size - 1).toBe(files.length)
})

it.each([...pages])('%s links only to pages, headings and pictures that the service serves', (path, html) => {
  const links = [...html.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)].map(([, link]) => link as string)
  expect(links.filter((link) => !isServed(path, link))).toEqual([])
})

function isServed(path: string, link: string): boolean {
  if (link === '') return false
  const { host, pathname: url, hash } = new URL(link, `https://service${path}`)
  if (host !== 'service' || url === '/openapi.json') return true
  const anchor = hash === '' ? undefined : hash.slice(1)
  if (anchor === undefined) return site.has(url)
  return anchor === 'main' || (pages.get(url)?.includes(` id="${anchor}"`) ?? false)
}

it('/llms.txt links only to Markdown that the service serves', async () => {
  const text = (await (await site.get('/llms.txt')?.(new Headers()))?.text()) ?? ''
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => `/${link}`)
  expect(links.length).toBeGreaterThan(40)
  expect(links.filter((link) => !site.has(link))).toEqual([])
})
