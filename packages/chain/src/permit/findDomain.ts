import type { Address } from '@agio/core'
import { getAddress, hexToNumber, numberToHex } from 'viem'
import { type Result, decodeResult } from '../reader/decodeResult.ts'
import { permitAbi } from './permit.ts'
import { toDomainSeparator, type PermitDomain } from './TypedData.ts'

/**
 * Finds the domain of a token's permits. The candidates are the domain that the token reports (ERC-5267), and domains
 * made of its name and version. The version may be absent, and a salt may replace the chain id. The hash that the token
 * returns proves the domain.
 *
 * @returns undefined if no domain of this token has the hash, or if the domain is for another network
 */
export function findDomain({ token, chainId, ...results }: findDomain.Options): PermitDomain | undefined {
  const separator = results.separator.success ? results.separator.data : undefined
  const reported = findReported(results.reported)
  const domains = [...(reported ? [reported] : []), ...listLikely({ token, chainId, ...results })]
  return domains.find(
    (domain) =>
      domain.verifyingContract === token &&
      (domain.chainId === undefined || domain.chainId === chainId) &&
      toDomainSeparator(domain) === separator,
  )
}

export declare namespace findDomain {
  type Options = {
    readonly token: Address
    readonly chainId: number
    readonly separator: Result
    /** The result of `eip712Domain()`. */
    readonly reported: Result
    readonly name: Result
    readonly version: Result
  }
}

/**
 * Returns the domain that a token reports, with the fields that it lists; undefined if it has extensions or unknown
 * fields.
 */
function findReported(result: Result): PermitDomain | undefined {
  const decoded = attempt(() => decodeResult(result, permitAbi, 'eip712Domain'))
  if (!decoded) return undefined
  const [fields, name, version, chainId, verifyingContract, salt, extensions] = decoded
  const bits = hexToNumber(fields)
  if (bits > allFields || extensions.length > 0 || !isShort(name) || !isShort(version)) return undefined
  const has = (bit: number) => (bits & (1 << bit)) !== 0
  return {
    ...(has(0) && { name }),
    ...(has(1) && { version }),
    // A domain of another network cannot be used, so a large chain id may lose precision here.
    ...(has(2) && { chainId: Number(chainId) }),
    ...(has(3) && { verifyingContract: getAddress(verifyingContract) }),
    ...(has(4) && { salt }),
  }
}

// The five fields of EIP-712.
const allFields = 0b11111

/** Lists the likely domains of a token without `eip712Domain`. */
function listLikely({ token, chainId, ...results }: Omit<findDomain.Options, 'reported'>): readonly PermitDomain[] {
  const [name, version] = [findText(results.name, 'name'), findText(results.version, 'version')]
  const versions = new Set([version, '1', '2', undefined])
  const networks = [{ chainId }, { salt: numberToHex(chainId, { size: 32 }) }, {}]
  return [...versions].flatMap((each) =>
    networks.map((network) => ({
      ...(name !== undefined && { name }),
      ...(each !== undefined && { version: each }),
      ...network,
      verifyingContract: token,
    })),
  )
}

function findText(result: Result, functionName: 'name' | 'version'): string | undefined {
  const text = attempt(() => decodeResult(result, permitAbi, functionName))
  return text !== undefined && isShort(text) ? text : undefined
}

// Wallets show this text to their users.
const maxTextLength = 200

function isShort(text: string): boolean {
  return text.length <= maxTextLength
}

/**
 * Returns a decoded value; undefined if the call failed or returned another type, such as the bytes32 of older tokens.
 */
function attempt<Value>(decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
