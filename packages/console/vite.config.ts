import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  // The service replaces the placeholder: a proxy may serve it below a path prefix, and the page has paths of several depths.
  experimental: {
    renderBuiltUrl: (path, { hostType }) =>
      hostType === 'html' ? `__CONSOLE_ROOT__console/${path}` : { relative: true },
  },
  // Preact has the interface of React in a sixth of its size.
  resolve: {
    alias: [
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
    ],
    // Libraries import Preact from their own folders.
    dedupe: ['preact'],
  },
  // The service replaces the placeholder with a new nonce in each response.
  html: { cspNonce: '__CONSOLE_NONCE__' },
  build: {
    target: 'es2022',
    // The content security policy allows `data:` only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licenses of the bundled libraries, for redistribution in an image.
    license: { fileName: 'licenses.md' },
    // The service counts requests of an address, so the files are few: one for the first page, and one for each area.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'initial', tags: ['$initial'], priority: 3 },
            { name: 'plot', test: /src\/(plot|receipt|pools)\/|d3-/, priority: 2 },
            { name: 'build', test: /src\/(build|usage|ui|time|settings)\//, priority: 1 },
            { name: 'operate', test: /src\/operate\//, priority: 1 },
          ],
        },
      },
    },
  },
})
