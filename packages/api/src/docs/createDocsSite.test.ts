import { errorCodes } from '@agio/core'
import { expect, it } from 'vitest'
import { createDocsSite } from './createDocsSite.ts'

const files = {
  'README.md':
    '# Documentation\n\n## Guide\n\n- [Convert](guide/convert.md): it\n- [Quotes](guide/quotes.md): it\n- [Gone](guide/gone.md)\n\n## Other\n\n- [SDK](sdk/README.md)\n- [Errors](reference/errors.md)\n- [Decisions](decisions/README.md)\n',
  'guide/convert.md': '# Convert\n',
  'guide/quotes.md': '# Quotes\n\n## Limits\n\nA limit.\n\n## Expiry\n\nA time.\n',
  'sdk/README.md': '# SDK\n',
  'decisions/README.md': '# Decisions\n',
  'decisions/0001-first.md': '# First\n',
}

async function open(given: Readonly<Record<string, string>> = files, parts: object = {}) {
  const docs = {
    listFiles: async () => Object.keys(given),
    readFile: async (path: string) => new TextEncoder().encode(given[path]),
    readAsset: async (name: string) => new TextEncoder().encode(`content of ${name}`),
  }
  const site = await createDocsSite({
    docs,
    readOpenApi: async () => new TextEncoder().encode('{"info":"</script>"}'),
    ...parts,
  })
  const get = async (path: string) => {
    const response = await site.get(path)?.(new Headers())
    return response && { headers: response.headers, text: await response.text() }
  }
  return { get, getText: async (path: string) => (await get(path))?.text ?? '' }
}

it('each page is served as HTML and as Markdown, and a README is the page of its folder', async () => {
  const { get, getText } = await open()
  for (const [url, file, root] of [
    ['/docs', 'README.md', './'],
    ['/docs/guide/convert', 'guide/convert.md', '../../'],
    ['/docs/sdk', 'sdk/README.md', '../'],
  ] as const) {
    const [page, markdown] = [await get(url), await get(`/docs/${file}`)]
    expect(page?.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page?.text).toContain(`href="${root}docs/${file}"`)
    expect(markdown?.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(markdown?.text).toBe(files[file])
  }
  expect(await getText('/docs/guide/convert')).toContain('<title>Convert · Agio</title>')
})

it('the navigation is the list of the overview, marks the page, and leads to its neighbours', async () => {
  const { getText } = await open()
  const page = await getText('/docs/guide/quotes')
  const navigation = page.slice(page.indexOf('id="navigation"'), page.indexOf('<main'))
  const links = [...navigation.matchAll(/<a href="(.*?)"(.*?)>(.*?)<\/a>/g)].map(([, ...link]) => link)
  expect(links).toEqual([
    ['../../docs/guide/convert', '', 'Convert'],
    ['../../docs/guide/quotes', ' aria-current="page"', 'Quotes'],
    ['../../docs/sdk', '', 'SDK'],
    ['../../docs/errors', '', 'Errors'],
    ['../../docs/decisions', '', 'Decisions'],
  ])
  expect(page).toContain('<a class="previous" href="../../docs/guide/convert"><span>Previous</span> Convert</a>')
  expect(page).toContain('<a class="next" href="../../docs/sdk"><span>Next</span> SDK</a>')
  expect(page).toContain('<a href="#expiry">Expiry</a>')
  expect(await getText('/docs/decisions/0001-first'), 'a page that is not listed marks the list above it').toContain(
    '<a href="../../docs/decisions" aria-current="page">',
  )
})

it('the search finds each section and each error code', async () => {
  const { get } = await open()
  const response = await get('/docs/search.json')
  expect(response?.headers.get('content-type')).toBe('application/json')
  const sections = JSON.parse(response?.text ?? '') as { readonly url: string }[]
  expect(sections).toContainEqual({
    url: '/docs/guide/quotes#limits',
    page: 'Quotes',
    heading: 'Limits',
    text: 'A limit.',
  })
  expect(sections).toContainEqual({ url: '/docs/decisions/0001-first', page: 'First', heading: 'First', text: '' })
  for (const code of errorCodes) expect(sections.map(({ url }) => url)).toContain(`/docs/errors#${code.slice(4)}`)
})

it('a page loads only its own files, and runs no inline script', async () => {
  const { get } = await open()
  for (const path of ['/docs', '/docs/errors']) {
    const { headers, text } = (await get(path)) ?? { headers: new Headers(), text: '' }
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(text).not.toMatch(/<style|<script(?! type="module" src="[./]+\/docs\/site.js"><\/script>)/)
    for (const [, asset = ''] of text.matchAll(/<(?:script|link).*?(?:src|href)="(.*?)"/g)) {
      expect(await get(new URL(asset, `http://service${path}`).pathname), asset).toBeDefined()
    }
  }
})

it('without the folder, /docs is the API reference, and the errors are served', async () => {
  const { getText } = await open({})
  expect(await getText('/docs')).toContain('<script src="./docs/reference.js">')
  expect(await getText('/docs/errors')).toContain('<a id="stale-price"></a>')
})

it('the reference contains its document, loads its bundle by a relative path, and leads to the console', async () => {
  const page = await (await open(files, { console: { readFile: async () => 'page' } })).getText('/docs/api')
  expect(page).toContain(String.raw`<script type="application/json" id="openapi">{"info":"\u003c/script>"}</script>`)
  expect(page).toContain('<script src="../docs/reference.js">')
  expect(page).toContain('<a href="../console/build/calls">')
})

it('pages link to the console if it is built', async () => {
  const withConsole = (page: string | undefined) => open(files, { console: { readFile: async () => page } })
  expect(await (await withConsole('page')).getText('/docs')).toContain('href="./console"')
  expect(await (await withConsole(undefined)).getText('/docs')).not.toContain('href="./console"')
})
