import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // `vite` serves the pages during development and forwards their API requests to `npm start`, which has the key.
  server: { proxy: { '/agio': 'http://127.0.0.1:8080' } },
})
