import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const sdk = fileURLToPath(new URL('../sdk/src', import.meta.url))

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  resolve: {
    // The sources of the SDK, so that the console needs no build of it.
    alias: [
      { find: /^@agio\/sdk$/, replacement: `${sdk}/index.ts` },
      { find: /^@agio\/sdk\/(\w+)$/, replacement: `${sdk}/$1.ts` },
    ],
  },
  // The service replaces it by a new one in each response.
  html: { cspNonce: '__CONSOLE_NONCE__' },
  build: {
    target: 'es2022',
    // The policy of the page allows no `data:` but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Of the libraries in the page, for those who pass on an image that contains it.
    license: { fileName: 'licenses.md' },
    // One chunk has all that the first page needs: in thirty it would be a tenth larger.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] } } },
  },
})
