import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const sdk = fileURLToPath(new URL('../sdk/src', import.meta.url))

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  resolve: {
    // Uses the sources of the SDK, so that the console does not need a build of it.
    alias: [
      { find: /^@agio\/sdk$/, replacement: `${sdk}/index.ts` },
      { find: /^@agio\/sdk\/(\w+)$/, replacement: `${sdk}/$1.ts` },
    ],
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
    // One chunk contains everything for the first page. Thirty chunks would be 10% larger.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] } } },
  },
})
