import { errorCatalogue, errorCodes, permitRefusals, type ErrorCode } from '@agio/core'

/**
 * Returns the error catalogue as an HTML page with a table of contents. Each code has an anchor, to which the `type` of
 * errors links.
 */
export function renderErrorsPage(): string {
  const entries = errorCodes.map((code) => {
    const { status, title, retryable, action, ...entry } = errorCatalogue[code]
    const optional: readonly string[] = 'optional' in entry ? entry.optional : []
    const fields = entry.details.map((field) => `<code>${field}</code>${optional.includes(field) ? ' if known' : ''}`)
    const carries = fields.length > 0 ? fields.join(', ') : 'none'
    return `<section id="${toAnchor(code)}">
<h2>${code}</h2>
<p>${title}.</p>
<p>HTTP ${status}. ${retryable ? 'The same request can succeed later' : 'The same request will fail again'}; next: <code>${action}</code>. Fields: ${carries}.</p>${code === 'svc/invalid-permit' ? renderRefusals() : ''}
</section>`
  })
  const contents = errorCodes.map(
    (code) => `<li><a href="#${toAnchor(code)}">${code}</a>: ${errorCatalogue[code].title}</li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agio: errors</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}section:target{background:#fff6d6}</style>
</head>
<body>
<h1>Errors</h1>
<nav aria-label="Contents">
<h2>Contents</h2>
<ul>
${contents.join('\n')}
</ul>
</nav>
${entries.join('\n')}
</body>
</html>
`
}

function renderRefusals(): string {
  const rows = Object.entries(permitRefusals).map(
    ([reason, meaning]) => `<dt><code>${reason}</code></dt><dd>${meaning}.</dd>`,
  )
  return `\n<dl>\n${rows.join('\n')}\n</dl>`
}

function toAnchor(code: ErrorCode): string {
  return code.slice('svc/'.length)
}
