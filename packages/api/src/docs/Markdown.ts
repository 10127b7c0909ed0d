import GithubSlugger from 'github-slugger'
import { Marked, marked, type Token, type Tokens } from 'marked'

/** Returns a page of the documentation as tokens and sections. Fields above its first heading are for programs, and left out. */
export function parse(text: string): Page {
  const slugger = new GithubSlugger()
  const tokens = marked.lexer(text.replace(/^---\n.*?\n---\n/s, ''))
  const sections: Section[] = []
  for (const token of tokens) {
    const last = sections.at(-1)
    if (isHeading(token)) {
      const heading = toText(token)
      sections.push({ token, depth: token.depth, heading, id: slugger.slug(heading), text: '' })
    } else if (last) sections[sections.length - 1] = { ...last, text: `${last.text} ${toText(token)}`.trim() }
  }
  return { title: sections.find(({ depth }) => depth === 1)?.heading ?? '', tokens, sections }
}

/**
 * Returns a page as HTML. HTML comments are omitted.
 *
 * @param findUrl returns the URL of the target of a link or picture; undefined if it is not served. The link then becomes text
 */
export function toHtml({ tokens, sections }: Page, findUrl: (link: string) => string | undefined): string {
  const ids = new Map(sections.map(({ token, id }) => [token, id]))
  const renderer = new Marked({
    renderer: {
      heading(token) {
        const html = this.parser.parseInline(token.tokens)
        const id = escape(ids.get(token) ?? '')
        const content = token.depth === 1 ? html : `<a href="#${id}">${html}</a>`
        return `<h${token.depth} id="${id}">${content}</h${token.depth}>\n`
      },
      link(token) {
        const html = this.parser.parseInline(token.tokens)
        const url = findUrl(token.href)
        return url === undefined ? withPath(html, token) : `<a href="${escape(url)}">${html}</a>`
      },
      image({ href, text }) {
        const url = findUrl(href)
        return url === undefined ? escape(text) : `<img src="${escape(url)}" alt="${escape(text)}">`
      },
      html({ text }) {
        return text
          .replaceAll(/<!--.*?-->/gs, '')
          .replaceAll(/\b(src|srcset)="([^"]+)"/g, (_, name: string, link: string) => {
            return `${name}="${escape(findUrl(link) ?? '')}"`
          })
      },
      // Wide code and tables scroll, also by keyboard.
      code: ({ text }) => `<div class="code"><pre tabindex="0"><code>${escape(text)}\n</code></pre></div>\n`,
    },
  })
  return renderer
    .parser([...tokens])
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
}

/** Lists the groups of links of a page: each heading of the second level with the lists below it. */
export function listLinks({ tokens }: Page): readonly LinkGroup[] {
  const groups: { readonly title: string; readonly links: Link[] }[] = []
  for (const token of tokens) {
    if (isHeading(token) && token.depth === 2) groups.push({ title: toText(token), links: [] })
    if (token.type !== 'list') continue
    for (const item of (token as Tokens.List).items) {
      const link = findLink(item.tokens)
      if (link) groups.at(-1)?.links.push({ title: toText(link), href: link.href })
    }
  }
  return groups
}

/** A parsed page. */
export type Page = {
  /** The text of its first heading. */
  readonly title: string
  readonly tokens: readonly Token[]
  readonly sections: readonly Section[]
}

/** A heading with the text up to the next heading. Its id is the anchor that GitHub gives the heading. */
type Section = {
  readonly token: Token
  readonly depth: number
  readonly heading: string
  readonly id: string
  readonly text: string
}

/** The links under one heading. */
export type LinkGroup = { readonly title: string; readonly links: readonly Link[] }

type Link = { readonly title: string; readonly href: string }

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function findLink(tokens: readonly Token[]): Tokens.Link | undefined {
  const [first] = tokens
  if (first?.type === 'link') return first as Tokens.Link
  return first && 'tokens' in first && first.tokens ? findLink(first.tokens) : undefined
}

/** Returns the text of a token without markup. */
function toText(token: Token): string {
  if (token.type === 'html') return ''
  if (token.type === 'list') return (token as Tokens.List).items.map(toText).join(' ')
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => tokens.map(toText).join(''))).join(' ')
  }
  if ('tokens' in token && token.tokens) return token.tokens.map(toText).join('')
  return 'text' in token ? String(token.text) : ''
}

/** Returns the content of a link to a file of the repository that is not served, with the path of the file. */
function withPath(content: string, link: Tokens.Link): string {
  const path = link.href.replace(/^(?:\.\.?\/)+/, '').replace(/#.*$/, '')
  const code = `<code>${escape(path)}</code>`
  return toText(link) === path ? code : `${content} (${code})`
}

/** Returns text as HTML. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
