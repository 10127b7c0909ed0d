import { z } from 'zod'
import { amount, decimal, integerText } from './fields.ts'

/** The kinds of signatures that pay a conversion: EIP-2612 and Permit2. */
export const permitKinds = ['permit', 'permit2'] as const

const kindDescription = '`permit` for EIP-2612 of the token, `permit2` for Permit2'

/** The latest deadline, in Unix seconds. A larger number must be a time in milliseconds. */
export const maxDeadlineSeconds = 100_000_000_000

// The signature of a wallet with code may have any length, and may be empty.
const maxSignatureLength = 16_386

/** The permit of a request: the signed terms with the signature. */
export const signedPermit = z
  .strictObject({
    kind: z.enum(permitKinds).meta({ description: kindDescription }),
    deadline: z.int().min(1).max(maxDeadlineSeconds, 'It is not a Unix time in seconds').meta({
      description: 'Signed deadline, as Unix time in seconds. For `permit2`, the expiry of the quote',
      example: 1_795_241_836,
    }),
    signature: z
      .string()
      .max(maxSignatureLength)
      .regex(/^0x([0-9a-fA-F]{2})*$/, 'It is not 0x and an even number of hex digits')
      .meta({ description: 'Signature of the typed data, hex', example: `0x${'5a'.repeat(64)}1b` }),
    amount: amount.optional().describe('Signed amount. Default: the most that the conversion may take'),
    nonce: z
      .string()
      .regex(/^(0|[1-9][0-9]{0,77})$/, 'It is not a whole number')
      .optional()
      .meta({
        description: 'Signed nonce. Default: the current nonce, or for `permit2` the nonce of the quote',
        example: '0',
      }),
  })
  .meta({ id: 'SignedPermit', description: 'A signature that pays a conversion instead of an allowance' })

/** A permit with its signature, as a request has it. */
export type SignedPermit = z.output<typeof signedPermit>

/** The terms to sign, in a response: the permit of a request without the signature. */
export const permitTerms = z
  .object({
    kind: z.enum(permitKinds).meta({ description: kindDescription, example: 'permit' }),
    deadline: z.int().min(1).meta({ description: 'Deadline to sign, as Unix time in seconds', example: 1_795_241_836 }),
    amount: decimal.meta({ description: 'Amount to sign', example: '1000.000000' }),
    nonce: integerText.meta({ description: 'Nonce to sign', example: '0' }),
  })
  .meta({
    id: 'PermitTerms',
    description: 'The `permit` of `transaction/build/convert`: add the `signature` and send it',
  })
