import { errorCatalogue, errorCodes } from '@agio/core'

/** The error catalogue as a page, one anchor a code: what `type` in a failure links to. */
export function renderErrorsPage(): string {
  const entries = errorCodes.map((code) => {
    const { status, title, retryable, action, ...entry } = errorCatalogue[code]
    const optional: readonly string[] = 'optional' in entry ? entry.optional : []
    const fields = entry.details.map((field) => `<code>${field}</code>${optional.includes(field) ? ' if known' : ''}`)
    const carries = fields.length > 0 ? fields.join(', ') : 'nothing more'
    return `<section id="${code.slice('svc/'.length)}">
<h2>${code}</h2>
<p>${title}.</p>
<p>HTTP ${status}. ${retryable ? 'The same request can succeed later' : 'The same request will fail again'}; next: <code>${action}</code>. Carries ${carries}.</p>
</section>`
  })
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
${entries.join('\n')}
</body>
</html>
`
}
