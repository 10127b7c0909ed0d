import { expect, it } from 'vitest'
import * as Markdown from './Markdown.ts'

const toHtml = (text: string, served: Readonly<Record<string, string>> = {}) =>
  Markdown.toHtml(Markdown.parse(text), (link) => served[link])

it("a heading has GitHub's anchor, also where two have the same text", () => {
  const page = Markdown.parse("# Agio\n\n## What `is_it`, and *why*?\n\nIt is.\n\n## The receiver's URL\n\n## Agio\n")
  expect(page.title).toBe('Agio')
  expect(page.sections.map(({ depth, id, heading, text }) => [depth, id, heading, text])).toEqual([
    [1, 'agio', 'Agio', ''],
    [2, 'what-is_it-and-why', 'What is_it, and why?', 'It is.'],
    [2, 'the-receivers-url', "The receiver's URL", ''],
    [2, 'agio-1', 'Agio', ''],
  ])
  const html = Markdown.toHtml(page, () => undefined)
  for (const { id } of page.sections) expect(html).toContain(`id="${id}"`)
  expect(html).toContain('<h2 id="what-is_it-and-why"><a href="#what-is_it-and-why">What <code>is_it</code>')
})

it('the text of a section is the text of its paragraphs, lists, tables and code, without markup', () => {
  const text =
    '# A\n\n<!-- a comment -->\n\nSee [**b**](b.md).\n\n- one\n- `two`\n\n| c | d |\n| --- | --- |\n| e | `f` |\n\n```sh\ng\n```\n'
  expect(Markdown.parse(text).sections[0]?.text.replaceAll(/\s+/g, ' ')).toBe('See b. one two c d e f g')
})

it('a link to a served target is a link, and another one is the path of its file', () => {
  const html = toHtml(
    '[a](a.md#b) [`examples/node`](../../examples/node) [examples/hono](../../examples/hono) [the *receiver*](../../examples/web#c)',
    {
      'a.md#b': '/docs/a#b',
    },
  )
  expect(html.trim()).toBe(
    '<p><a href="/docs/a#b">a</a> <code>examples/node</code> <code>examples/hono</code> the <em>receiver</em> (<code>examples/web</code>)</p>',
  )
})

it('HTML comments are omitted, and code is escaped', () => {
  const html = toHtml('<!-- tour -->\n\nText <!-- more -->\n\n```html\n<b>&"\n```\n')
  expect(html).not.toContain('<!--')
  expect(html).toContain('<code>&lt;b&gt;&amp;&quot;\n</code>')
})

it('the groups of links are the lists below the headings of the second level', () => {
  const text =
    '# T\n\n- [none](none.md)\n\n## Guide\n\n- [Convert](guide/convert.md): a sentence\n- no link\n\n## SDK\n\n- [`@agio/sdk`](sdk/README.md)\n'
  expect(Markdown.listLinks(Markdown.parse(text))).toEqual([
    { title: 'Guide', links: [{ title: 'Convert', href: 'guide/convert.md' }] },
    { title: 'SDK', links: [{ title: '@agio/sdk', href: 'sdk/README.md' }] },
  ])
})
