import { Amount, type Pool } from '@agio/core'
import { adoptDeployment } from '../deployment/adoptDeployment.ts'
import { findDeployment, writeDeployment } from '../deployment/deploymentFile.ts'
import { atNode, getNode, parseAddress, parseNetwork, readContractSettings } from './contractOptions.ts'
import { formatTable } from './formatTable.ts'

/**
 * Writes the deployment file of contracts that others have deployed.
 *
 * @returns the text to print
 * @throws `Error` for an invalid option, for missing variables, and if the file exists
 */
export async function adoptContracts(options: adoptContracts.Options, environment: NodeJS.ProcessEnv): Promise<string> {
  const { chainId } = parseNetwork(options.network)
  const { texts, deploymentsDir } = readContractSettings(environment, 'adopt')
  const { fromBlock, pool: pools = [] } = options
  if (fromBlock === undefined && pools.length === 0)
    throw new Error('Cannot adopt: pass --from-block, the block in which the factory was deployed, or --pool')
  if (fromBlock !== undefined && !/^\d{1,15}$/.test(fromBlock))
    throw new Error(`Cannot adopt: --from-block '${fromBlock}' is not a block number`)
  if (await findDeployment(deploymentsDir, chainId))
    throw new Error(
      `Cannot adopt: ${deploymentsDir} has a deployment file of chain ${chainId} already. Move it away first`,
    )
  const request = {
    chainId,
    rpcUrl: getNode(chainId, texts),
    router: parseAddress('router', options.router),
    factory: parseAddress('factory', options.factory),
    fromBlock: fromBlock === undefined ? undefined : BigInt(fromBlock),
    pools: pools.map((address) => parseAddress('pool', address)),
    referenceToken: parseAddress('reference-token', options.referenceToken),
    onProgress: console.log,
  }
  const adopted = await atNode(chainId, () => adoptDeployment(request))
  const path = await writeDeployment(deploymentsDir, adopted.deployment)
  return [
    formatPools(adopted.pools),
    `Reference token: ${adopted.deployment.referenceToken}`,
    ...adopted.warnings.map((warning) => `Warning: ${warning}`),
    `Wrote ${path}`,
  ].join('\n')
}

export declare namespace adoptContracts {
  /** The options of the command line, as text. */
  type Options = {
    readonly network: string
    readonly router: string
    readonly factory: string
    readonly fromBlock?: string | undefined
    readonly pool?: readonly string[] | undefined
    readonly referenceToken?: string | undefined
  }
}

function formatPools(pools: readonly Pool.Pool[]): string {
  const rows = pools.flatMap(({ address, base, quote }) =>
    [base, quote].map(({ token, price }, index) => [
      index === 0 ? address : '',
      token.symbol,
      token.address,
      `${token.decimals} decimals`,
      price.oracle === null ? 'no oracle' : `oracle ${price.oracle}`,
      Amount.format(price.answer, 8),
    ]),
  )
  return formatTable([['Pool', 'Token', 'Address', '', '', 'Dollars'], ...rows])
}
