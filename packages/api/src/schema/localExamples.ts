/** The values of examples: the addresses that `pnpm start` deploys at every start, and a wallet that it funds. */
export const localExamples = {
  tUSD: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  tAUD: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  pool: '0x9A676e781A523b5d0C0e43731313A708CB607508',
  oracle: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
  router: '0x825C5C30E86a1055B4c611Fb6d779551D1E1B4dE',
  faucet: '0x610178dA211FEF7D417bC0e6FeD39F05609AD788',
  wallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  transactionHash: '0x0172b2dd6579153af3c0a1330997a04d9a315441087184de23ec0d76ca85102a',
} as const
