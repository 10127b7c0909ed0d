import { inject } from 'vitest'
import { createAgio } from '../../packages/sdk/src/index.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { pinContracts } from '../harness/pinContracts.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')

const { url, apiKey } = target
/** The service of all tests. */
export const service = { url, apiKey }
/** Its chains. */
export const { chains } = target
export const chainId = 84532
export const otherChainId = 421614
export const chain = chains[chainId]
export const { client } = connectOwner(chain)
/** A client of the service, which accepts only its contracts. */
export const agio = createAgio({ ...service, contracts: pinContracts(chains) })
