import type { KeyApplication } from '@agio/store'

/** What an applicant may say of itself. */
export const shop: KeyApplication = {
  name: 'Shop',
  company: 'Shop Ltd',
  email: 'dev@shop.example',
  useCase: 'pays suppliers',
  expectedVolume: '1,000 a day',
  tier: 'standard',
}
