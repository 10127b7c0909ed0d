export { localAccounts, type LocalAccount } from './accounts/localAccounts.ts'
export { type LocalChain } from './LocalChain.ts'
export { pushPrices } from './price/pushPrices.ts'
export { startLocalnet, type Localnet } from './startLocalnet.ts'
