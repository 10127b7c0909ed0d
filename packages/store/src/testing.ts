// The parts of a store, for tests that open them one at a time: `@agio/store/testing`.
export { type Database } from './database/Database.ts'
export { openDatabase } from './database/openDatabase.ts'
export { createKeys } from './key/createKeys.ts'
export { createQuotePauses } from './quote/createQuotePauses.ts'
export { openQuoteSecrets } from './quote/openQuoteSecrets.ts'
export { createUsage } from './usage/createUsage.ts'
export { writeBatch } from './usage/writeBatch.ts'
