import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  // The service replaces the placeholder: a proxy may serve it below a path prefix, and the page has paths of several depths.
  experimental: {
    renderBuiltUrl: (path, { hostType }) =>
      hostType === 'html' ? `__CONSOLE_ROOT__console/${path}` : { relative: true },
  },
  plugins: [react()],
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
    // One chunk contains everything for the first page. Thirty chunks would be 10% larger.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] } } },
  },
})
