/** The reverse domain name of the test wallet, by which it is known among the wallets of the browser. */
export const testWalletId = 'example.agio.test-wallet'
