import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDownloads } from './createDownloads.ts'

test('a package is packed once, also for reads of its files at the same time', async () => {
  const progress: string[] = []
  await using downloads = createDownloads({ onProgress: (message) => progress.push(message) })
  const read = downloads.files['/downloads/agio-react.tgz']
  const script = downloads.files['/downloads/agio-convert.js']()
  const tarballs = [...(await Promise.all([read(), read()])), await read()]
  expect(new Set(tarballs.map((bytes) => createHash('sha256').update(bytes).digest('hex'))).size).toBe(1)
  // gzip
  expect([...(tarballs[0] ?? [])].slice(0, 2)).toEqual([0x1f, 0x8b])
  expect(new TextDecoder().decode(await script)).toContain('agio-convert')
  // An earlier run may have packed the same sources.
  expect([[], ['Packing @agio/react for a download', 'Packed @agio/react']]).toContainEqual(progress)
})
