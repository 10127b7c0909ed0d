import { createHash } from 'node:crypto'

// The colours of the bundle have too little contrast, and its buttons are too small.
const css = [
  '.light-mode { --scalar-color-2: #545454; --scalar-color-3: #545454; --scalar-color-blue: #0060a8 }',
  '.dark-mode { --scalar-color-3: var(--scalar-color-2) }',
  '.badge { color: var(--scalar-color-1) }',
  'aside button { min-width: 24px; min-height: 24px }',
].join(' ')

// The bundle reads storage when it starts, and a sandboxed page has none. Its copy of zod would try whether the policy allows eval.
const script = `globalThis.__zod_globalConfig = { jitless: true }
for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { value: { length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {}, clear() {} } })
addEventListener('DOMContentLoaded', () => Scalar.createApiReference('#app', {
  content: JSON.parse(document.querySelector('#openapi').textContent),
  // Requests of the page would be those of a foreign origin.
  hideTestRequestButton: true,
  documentDownloadType: 'none',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  mcp: { disabled: true },
  agent: { disabled: true },
  customCss: '${css}',
}))`

/**
 * The policy of the page. Its bundle is not ours, so the page has an origin of its own: it cannot read the storage of the console, and
 * sends no requests.
 */
export const referencePolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns the page of the API reference, which renders a document of OpenAPI. */
export function renderReferencePage({ openApi, root, hasConsole }: renderReferencePage.Options): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agio API</title>
<link rel="icon" type="image/svg+xml" href="${root}docs/icon.svg">
</head>
<body>
${hasConsole ? `<header style="margin: 12px 20px; font: 14px system-ui, sans-serif"><a href="${root}console/build/calls">Try these operations in the console</a></header>\n` : ''}<div id="app"></div>
<script type="application/json" id="openapi">${openApi.replaceAll('<', String.raw`\u003c`)}</script>
<script>${script}</script>
<script src="${root}docs/reference.js"></script>
</body>
</html>
`
}

export declare namespace renderReferencePage {
  type Options = {
    /** The document of OpenAPI, as JSON. */
    readonly openApi: string
    /** The relative path from the page to the root of the service, such as `../`. */
    readonly root: string
    readonly hasConsole: boolean
  }
}
