import type { TypedData } from '@agio/chain'
import { Network } from '@agio/core'
import { z } from 'zod'
import { addressOut, chainIdOut, hashOut } from './fields.ts'
import { localExamples } from './localExamples.ts'

const domain = z
  .object({
    name: z.string().optional().meta({ description: 'Name of the contract', example: 'Test Australian Dollar' }),
    version: z.string().optional().meta({ description: 'Version of the contract', example: '1' }),
    chainId: chainIdOut.optional(),
    verifyingContract: addressOut
      .optional()
      .meta({ description: 'Contract that verifies the signature', example: localExamples.tAUD }),
    salt: hashOut.optional().describe('Salt of the contract, 32 bytes. Some tokens have the chain id here'),
  })
  .meta({ id: 'TypedDataDomain', description: 'The domain of typed data, with exactly the fields of the contract' })

const field = z
  .object({
    name: z.string().meta({ description: 'Name of the field', example: 'owner' }),
    type: z.string().meta({ description: 'Type of the field in Solidity', example: 'address' }),
  })
  .meta({ id: 'TypedDataField', description: 'A field of a type' })

/** The typed data of examples: it lets the router take 1,000 tAUD. */
const permitExample = {
  domain: {
    name: 'Test Australian Dollar',
    version: '1',
    chainId: Network.defaultChainId,
    verifyingContract: localExamples.tAUD,
  },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: {
    owner: localExamples.wallet,
    spender: localExamples.router,
    value: '1000000000',
    nonce: '0',
    deadline: '1795241836',
  },
}

/** Typed data in a response. */
export const typedData = z
  .object({
    domain,
    types: z.record(z.string(), z.array(field)).meta({
      description: 'Fields of each type by its name, including `EIP712Domain`',
      example: permitExample.types,
    }),
    primaryType: z.string().meta({ description: 'Type of the message', example: 'Permit' }),
    message: z.record(z.string(), z.unknown()).meta({
      description: 'Message to sign. Numbers are decimal strings',
      example: permitExample.message,
    }),
  })
  .meta({
    id: 'TypedData',
    description: 'EIP-712 typed data. Pass it unchanged as the second parameter of `eth_signTypedData_v4`',
    example: permitExample,
  })

/** Returns typed data in the form of a response. */
export function toTypedDataResponse({ domain, types, primaryType, message }: TypedData): z.output<typeof typedData> {
  const fields = Object.entries(types).map(([name, entries]) => [name, entries.map((entry) => ({ ...entry }))])
  return { domain, types: Object.fromEntries(fields), primaryType, message }
}
