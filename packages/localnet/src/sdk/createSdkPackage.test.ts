import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSdkPackage } from './createSdkPackage.ts'

const timeout = 60_000

test('the tarball of the SDK is packed once, also for reads at the same time', { timeout }, async () => {
  const progress: string[] = []
  await using sdk = createSdkPackage({ onProgress: (message) => progress.push(message) })
  const tarballs = [...(await Promise.all([sdk.read(), sdk.read()])), await sdk.read()]
  expect(new Set(tarballs.map((bytes) => createHash('sha256').update(bytes).digest('hex'))).size).toBe(1)
  // gzip
  expect([...(tarballs[0] ?? [])].slice(0, 2)).toEqual([0x1f, 0x8b])
  // An earlier run may have packed the same sources.
  expect([[], ['Packing the SDK for a download', 'Packed the SDK']]).toContainEqual(progress)
})
