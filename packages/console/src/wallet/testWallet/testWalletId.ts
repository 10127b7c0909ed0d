/** The reverse domain name that identifies the test wallet. */
export const testWalletId = 'example.agio.test-wallet'
