/**
 * A wallet, accounts, funds and contracts for tests.
 *
 * @module
 */

export { fund } from './testing/fund.ts'
export { announceWallet } from './testing/announceWallet.ts'
export { type WalletEvents } from './testing/WalletState.ts'
export { createTestWallet, type TestWallet } from './testing/createTestWallet.ts'
export { type Decide, type Decision, type Prompt } from './testing/Prompt.ts'
export { ProviderError } from './testing/ProviderError.ts'
export { localContracts, testAccounts, type TestAccount } from './testing/localChains.ts'
