import type { KeyApplication } from '@agio/store'

/** A complete application for a key. */
export const shop: KeyApplication = {
  name: 'Shop',
  company: 'Shop Ltd',
  email: 'dev@shop.example',
  useCase: 'pays suppliers',
  expectedVolume: '1,000 a day',
  tier: 'standard',
}
