import { createAgio } from '@agio/sdk'
import { expect, it, vi } from 'vitest'
import { getApiKey } from './getApiKey.ts'

it('a call without a key fails as the service would refuse it, and is not sent', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>()
  const agio = createAgio({ url: 'http://127.0.0.1', getApiKey: () => getApiKey({ apiKey: '' }), fetch })
  await expect(agio.api.chains.list.query()).rejects.toMatchObject({ name: 'AgioError', code: 'svc/unauthorized' })
  expect(fetch).not.toHaveBeenCalled()
})

it('a key is sent unchanged', () => {
  expect(getApiKey({ apiKey: 'local-key' })).toBe('local-key')
})
