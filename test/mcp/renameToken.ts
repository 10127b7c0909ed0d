import { tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { concat, keccak256, numberToHex, pad, stringToHex, toHex, type Hex } from 'viem'
import { expect } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'

/** Replaces the symbol of a token in its storage, where it is found by its value. */
export async function renameToken(chain: LocalChain, symbol: 'tAUD' | 'tEUR', renamed: string): Promise<void> {
  const { client } = connectOwner(chain)
  const address = chain.tokens[symbol]
  for (let slot = 0n; slot < 12n; slot += 1n) {
    const stored = await client.getStorageAt({ address, slot: toHex(slot) })
    if (stored !== toStringSlots(slot, symbol)[0]?.value) continue
    for (const changed of toStringSlots(slot, renamed)) await client.setStorageAt({ address, ...changed })
  }
  expect(await client.readContract({ address, abi: tokenAbi, functionName: 'symbol' })).toBe(renamed)
}

/** Lists the slots of a string in the storage of a contract. @see https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html */
function toStringSlots(slot: bigint, text: string): readonly { readonly index: Hex; readonly value: Hex }[] {
  const bytes = stringToHex(text)
  const length = (bytes.length - 2) / 2
  const index = pad(toHex(slot), { size: 32 })
  if (length < 32) {
    return [{ index, value: concat([pad(bytes, { dir: 'right', size: 31 }), numberToHex(length * 2, { size: 1 })]) }]
  }
  const first = BigInt(keccak256(index))
  const words = bytes.slice(2).match(/.{1,64}/g) ?? []
  return [
    { index, value: numberToHex(length * 2 + 1, { size: 32 }) },
    ...words.map((word, position) => ({
      index: numberToHex(first + BigInt(position), { size: 32 }),
      value: pad(`0x${word}`, { dir: 'right', size: 32 }),
    })),
  ]
}
