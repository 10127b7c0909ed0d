import { html, raw } from 'hono/html'
import type { LinkGroup, Page } from './Markdown.ts'

/** Returns a page of the documentation as an HTML document. Only its search and its copy buttons need JavaScript. */
export async function renderDocsPage(options: Options): Promise<string> {
  const { url, markdownUrl, page, content, navigation, hasConsole } = options
  const group = navigation.find(({ links }) => links.some(({ href }) => href === url))
  const document = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · Agio</title>
        <link rel="icon" type="image/svg+xml" href="/docs/icon.svg" />
        <link rel="alternate" type="text/markdown" href="${markdownUrl}" />
        <link rel="stylesheet" href="/docs/site.css" />
        <script type="module" src="/docs/site.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        ${renderHeader(hasConsole)}
        <div class="columns">
          ${renderNavigation(navigation, url)}
          <main id="main" class="main" tabindex="-1">
            <article class="content">${group && html`<p class="group">${group.title}</p>`} ${raw(content)}</article>
            <footer class="footer">
              ${renderSteps(navigation, url)}
              <p><a href="${markdownUrl}">This page as Markdown</a></p>
            </footer>
          </main>
          ${renderContents(page)}
        </div>
      </body>
    </html> `
  return document.toString()
}

type Options = {
  readonly url: string
  readonly markdownUrl: string
  readonly page: Page
  /** The content of the page, as HTML. */
  readonly content: string
  /** The groups of pages, with the URLs where they are served. */
  readonly navigation: Navigation
  readonly hasConsole: boolean
}

type Navigation = readonly LinkGroup[]

function renderHeader(hasConsole: boolean) {
  return html`<header class="header">
    <div class="bar">
      <button class="menu" type="button" popovertarget="navigation">Menu</button>
      <a class="brand" href="/docs">Agio <span>Docs</span></a>
      <search id="search" class="search" hidden>
        <label class="visually-hidden" for="query">Search the documentation</label>
        <input
          id="query"
          type="search"
          placeholder="Search"
          autocomplete="off"
          spellcheck="false"
          aria-keyshortcuts="/"
        />
        <p id="count" class="visually-hidden" role="status"></p>
        <ol id="results" class="results" hidden></ol>
      </search>
      <nav class="sites links" aria-label="Agio">
        <a href="/docs/api">API reference</a>
        <a href="/docs/errors">Errors</a>
        ${hasConsole && html`<a href="/console">Console</a>`}
      </nav>
    </div>
  </header>`
}

function renderNavigation(navigation: Navigation, url: string) {
  const links = navigation.flatMap((group) => group.links)
  // A decision is not listed. It marks the list of decisions.
  const current = links.find(({ href }) => href === url) ?? links.find(({ href }) => url.startsWith(`${href}/`))
  const toItem = (link: LinkGroup['links'][number]) =>
    link === current
      ? html`<li><a href="${link.href}" aria-current="page">${link.title}</a></li>`
      : html`<li><a href="${link.href}">${link.title}</a></li>`
  return html`<nav id="navigation" class="navigation" popover aria-label="Documentation">
    ${navigation.map(
      ({ title, links }, index) =>
        html`<p id="group-${index}">${title}</p>
          <ul aria-labelledby="group-${index}">
            ${links.map(toItem)}
          </ul>`,
    )}
  </nav>`
}

/** Renders the links to the pages before and after a page. */
function renderSteps(navigation: Navigation, url: string) {
  const links = navigation.flatMap((group) => group.links)
  const at = links.findIndex(({ href }) => href === url)
  if (at === -1) return ''
  const [previous, next] = [links[at - 1], links[at + 1]]
  return html`${previous && html`<a class="previous" href="${previous.href}"><span>Previous</span> ${previous.title}</a>`}
  ${next && html`<a class="next" href="${next.href}"><span>Next</span> ${next.title}</a>`}`
}

function renderContents({ sections }: Page) {
  const headings = sections.filter(({ depth }) => depth === 2 || depth === 3)
  if (headings.length < 2) return ''
  return html`<nav class="contents" aria-labelledby="contents">
    <p id="contents">On this page</p>
    <ul>
      ${headings.map(({ depth, id, heading }) => html`<li class="depth-${depth}"><a href="#${id}">${heading}</a></li>`)}
    </ul>
  </nav>`
}
