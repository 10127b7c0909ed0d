import type { Actor, KeyApplication } from '@agio/store'

/** A complete application for a key. */
export const shop: KeyApplication = {
  name: 'Shop',
  company: 'Shop Ltd',
  email: 'dev@shop.example',
  useCase: 'pays suppliers',
  expectedVolume: '1,000 a day',
  tier: 'standard',
}

/** The operator whom tests of the store name as the actor of their changes. */
export const actor: Actor = { operator: 'ada', operation: 'test', address: '192.0.2.7', requestId: 'request-of-a-test' }
