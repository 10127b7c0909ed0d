const maxLength = 32

// What symbols of tokens and arguments of reverts consist of, such as USD₮, EURC.e, a-token or 0xab.
const plain = /^[\p{L}\p{N}\p{Sc}._+-]+$/u

/** Returns the symbol of a token as short data: see `toSafeText`. */
export function toSafeSymbol(symbol: string): string {
  return toSafeText(symbol, maxLength)
}

/** Returns the symbol of a token for a sentence: in quotation marks if it could be read as a part of the sentence. */
export function formatSymbol(symbol: string): string {
  return formatText(symbol, maxLength)
}

/**
 * Returns a text that a contract has chosen as data: without control, direction and line characters, which could make a model read
 * it as an instruction, or a person read another text.
 *
 * @param limit the most characters of the result, which ends with `…` if the text is longer
 */
export function toSafeText(text: string, limit: number): string {
  const characters = Array.from(text.toWellFormed().replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ''))
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : characters.join('')
}

/** Returns a text that a contract has chosen for a sentence: in quotation marks if it could be read as a part of the sentence. */
export function formatText(text: string, limit: number): string {
  const safe = toSafeText(text, limit)
  return plain.test(safe) ? safe : JSON.stringify(safe)
}
