/**
 * Returns the page of the API reference, which renders openapi.json.
 *
 * @param apiKey the key with which the page sends the examples, or an empty string
 * @param root the relative URL of the service
 */
export function renderReferencePage(apiKey: string, root: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agio API</title>
<link rel="icon" type="image/svg+xml" href="${root}docs/icon.svg">
</head>
<body>
<div id="app"></div>
<script src="${root}docs/reference.js"></script>
<script>
Scalar.createApiReference('#app', {
  url: '${root}openapi.json',
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
