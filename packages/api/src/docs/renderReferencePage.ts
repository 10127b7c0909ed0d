/**
 * Returns the page of the API reference, which renders openapi.json.
 *
 * @param apiKey the key with which the page sends the examples, or an empty string
 */
export function renderReferencePage(apiKey: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agio API</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
</head>
<body>
<div id="app"></div>
<script src="/docs/reference.js"></script>
<script>
Scalar.createApiReference('#app', {
  url: '/openapi.json',
  authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { value: '${apiKey}' } } },
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  mcp: { disabled: true },
  agent: { disabled: true },
})
</script>
</body>
</html>
`
}
