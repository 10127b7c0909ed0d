/** The phrase that Hardhat and others derive their test accounts from. */
export const localMnemonic = 'test test test test test test test test test test test junk'
