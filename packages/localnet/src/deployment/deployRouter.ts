import type { Address } from '@agio/core'
import { getAddress, isAddressEqual, parseAbi } from 'viem'
import { toCreationCode } from '../contracts/toCreationCode.ts'
import { deployByCreate2, deploymentProxy, toCreate2Address, toSalt, type Create2 } from './create2.ts'
import type { Deployer } from './createDeployer.ts'

/** A change of this text gives a contract another address for the same code. */
const salts = { Factory: toSalt('agio.Factory.1'), Router: toSalt('agio.Router.1') } as const

/**
 * Computes the factory and the router of a deployer. Their addresses depend on their code and on the deployer alone, so
 * they are the same on all networks. The deployer is the first owner of the factory.
 */
export function planRouter(owner: Address): RouterPlan {
  const factory = { salt: salts.Factory, code: toCreationCode('Factory', [owner]) }
  const router = { salt: salts.Router, code: toCreationCode('Router', [toCreate2Address(factory)]) }
  return { factory, router }
}

/** The creation codes of a factory and of its router. */
export type RouterPlan = { readonly factory: Create2; readonly router: Create2 }

/** Creation code with an instruction that Cancun adds: it copies no memory (EIP-5656). */
const cancunCode = '0x5f5f5f5e00'

/**
 * Asserts that a plan can be deployed, without a transaction.
 *
 * @throws `Error` if the network has an older hardfork than Cancun, or no deployment proxy, or if the deployer no longer owns the factory and so cannot add
 * pools to it
 */
export async function assertDeployable({ address, client }: Deployer, { factory }: RouterPlan): Promise<void> {
  const supportsCancun = await client.call({ data: cancunCode }).then(
    () => true,
    () => false,
  )
  if (!supportsCancun) throw new Error('Cannot deploy: the network needs Cancun, or a later hardfork')
  if (!(await client.getCode({ address: deploymentProxy })))
    throw new Error(`Cannot deploy: the network has no deployment proxy at ${deploymentProxy}`)
  const existing = toCreate2Address(factory)
  if (!(await client.getCode({ address: existing }))) return
  const abi = parseAbi(['function owner() view returns (address)'])
  const owner = await client.readContract({ address: existing, abi, functionName: 'owner' })
  if (isAddressEqual(owner, address)) return
  throw new Error(
    `Cannot deploy: factory ${existing} belongs to ${getAddress(owner)}, and only its owner can add pools. Use another DEPLOYER_KEY`,
  )
}

/**
 * Deploys the factory and the router of a plan. Keeps those that exist, for example after a deployment that has failed
 * half way.
 */
export async function deployRouter(deployer: Deployer, plan: RouterPlan): Promise<DeployedRouter> {
  const factory = await deployByCreate2(deployer, plan.factory)
  return { factory, router: await deployByCreate2(deployer, plan.router) }
}

type DeployedRouter = { readonly factory: Address; readonly router: Address }
