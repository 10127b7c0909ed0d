const maxLength = 32

// What symbols of tokens consist of, such as USD₮, EURC.e or a-token.
const plain = /^[\p{L}\p{N}\p{Sc}._+-]+$/u

/**
 * Returns the symbol of a token as short data: without control, direction and line characters, which could make a model read it
 * as an instruction, or a person read another name.
 */
export function toSafeSymbol(symbol: string): string {
  const characters = Array.from(symbol.toWellFormed().replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ''))
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : characters.join('')
}

/** Returns the symbol of a token for a sentence: in quotation marks if it could be read as a part of the sentence. */
export function formatSymbol(symbol: string): string {
  const safe = toSafeSymbol(symbol)
  return plain.test(safe) ? safe : JSON.stringify(safe)
}
