import type { Address } from '@agio/core'
import { parseEther } from 'viem'
import type { Deployer } from './createDeployer.ts'
import type { DeployedAsset } from './deployAsset.ts'

/** Deploys an empty pool with the parameters of all our pools. */
export async function deployPool(deployer: Deployer, base: DeployedAsset, quote: DeployedAsset): Promise<Address> {
  const config = {
    name: `Agio ${base.symbol}/${quote.symbol} Liquidity`,
    symbol: `LP-${base.symbol}-${quote.symbol}`,
    base: base.token,
    quote: quote.token,
    baseReader: base.reader,
    quoteReader: quote.reader,
    alpha: parseEther('0.5'),
    epsilon: parseEther('0.0005'),
    owner: deployer.address,
  }
  return await deployer.deploy('Pool', [config])
}
