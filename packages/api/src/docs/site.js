// The script of the documentation: the search, and the buttons that copy code.

const search = document.querySelector('#search')
const query = document.querySelector('#query')
const count = document.querySelector('#count')
const results = document.querySelector('#results')
const navigation = document.querySelector('#navigation')

const limit = 12
const excerptLength = 140

let opened

// Decisions contain most words, and few readers look for them.
const boostDocument = (id, term, { url }) => (url.startsWith('/docs/decisions/') ? 0.3 : 1)

/** Loads the search and its sections, at the first use. */
function openSearch() {
  opened ??= load().catch((error) => {
    opened = undefined
    throw error
  })
  return opened
}

async function load() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import('./minisearch.js'),
    fetch(new URL('search.json', import.meta.url)),
  ])
  if (!response.ok) throw new Error(`Cannot load the search: ${response.status}`)
  const sections = await response.json()
  const index = new MiniSearch({
    idField: 'id',
    fields: ['heading', 'page', 'text'],
    storeFields: ['url', 'heading', 'page', 'text'],
    searchOptions: { boost: { heading: 5, page: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND', boostDocument },
  })
  index.addAll(sections.map((section, id) => ({ ...section, id })))
  return index
}

async function showResults() {
  const text = query.value.trim()
  if (text === '') return hideResults()
  const index = await openSearch()
  // The text may have changed while the search was loaded.
  if (text !== query.value.trim()) return
  const found = index.search(text).slice(0, limit)
  results.replaceChildren(...(found.length > 0 ? found.map(toItem) : [toNone(text)]))
  results.hidden = false
  count.textContent = found.length === 1 ? '1 result' : `${found.length} results`
}

function hideResults() {
  results.hidden = true
  count.textContent = ''
}

function toItem({ url, heading, page, text, terms }) {
  const item = document.createElement('li')
  const link = item.appendChild(document.createElement('a'))
  // A proxy may serve the service below a path prefix.
  link.href = new URL(`..${url}`, import.meta.url)
  link.appendChild(document.createElement('strong')).textContent = heading
  const excerpt = toExcerpt(text, terms)
  const source = heading === page ? [] : [page]
  link.appendChild(document.createElement('span')).textContent = [...source, excerpt].filter(Boolean).join(' · ')
  return item
}

function toNone(text) {
  const item = document.createElement('li')
  item.className = 'none'
  item.textContent = `No results for “${text}”`
  return item
}

/** Returns the text around the first of the found terms. */
function toExcerpt(text, terms) {
  const lower = text.toLowerCase()
  const at = Math.min(...terms.map((term) => lower.indexOf(term)).filter((index) => index >= 0), text.length)
  const start = at === text.length ? 0 : Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 40)) + 1)
  const end = start + excerptLength
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** Moves the focus between the search field and its results. */
function moveFocus(event) {
  const links = [query, ...results.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') {
    hideResults()
    query.focus()
  } else if (event.key === 'Enter' && document.activeElement === query) {
    links[1]?.click()
  } else if (step !== undefined && at >= 0) {
    event.preventDefault()
    links[(at + step + links.length) % links.length].focus()
  }
}

function addCopyButton(block) {
  const button = block.appendChild(document.createElement('button'))
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
}

/** Scrolls the navigation to the link of the page. */
function showCurrentLink() {
  const current = navigation.querySelector('[aria-current]')
  if (current) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2
}

showCurrentLink()
search.hidden = false
query.addEventListener('focus', () => void openSearch().catch(() => {}))
query.addEventListener('input', () => void showResults())
search.addEventListener('keydown', moveFocus)
search.addEventListener('focusout', ({ relatedTarget }) => {
  if (!search.contains(relatedTarget)) hideResults()
})
results.addEventListener('click', hideResults)
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  query.focus()
})
// Browsers offer the clipboard only on https and on localhost.
if (navigator.clipboard) document.querySelectorAll('.code').forEach(addCopyButton)
