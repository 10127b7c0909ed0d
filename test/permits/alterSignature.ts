import { concatHex, hexToBigInt, hexToNumber, numberToHex, slice, type Hex } from 'viem'

/** Another form of a signature of a key. */
export type AlteredForm = 'malleable' | 'short v' | 'compact' | 'empty' | 'truncated'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * Returns another form of a signature of 65 bytes: its malleable twin with the larger s, v of 0 or 1, the 64 bytes of EIP-2098,
 * nothing, or its first 63 bytes.
 */
export function alterSignature(signature: Hex, form: AlteredForm): Hex {
  const [r, s, v] = [slice(signature, 0, 32), hexToBigInt(slice(signature, 32, 64)), hexToNumber(slice(signature, 64))]
  const parity = v - 27
  const forms = {
    malleable: () => concatHex([r, toWord(curveOrder - s), numberToHex(28 - parity)]),
    'short v': () => concatHex([r, toWord(s), numberToHex(parity, { size: 1 })]),
    compact: () => concatHex([r, toWord(s | (BigInt(parity) << 255n))]),
    empty: () => '0x',
    truncated: () => slice(signature, 0, 63),
  } as const satisfies Record<AlteredForm, () => Hex>
  return forms[form]()
}

function toWord(number: bigint): Hex {
  return numberToHex(number, { size: 32 })
}
