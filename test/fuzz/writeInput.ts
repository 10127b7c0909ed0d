import type { Base, Pairs } from './Base.ts'
import { encodeText } from './encodeText.ts'

/** Writes an input as its base takes it: as a query or as JSON. */
export function writeInput({ place }: Base, fields: Pairs): string {
  if (place === 'query') return fields.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&')
  return `{${fields.map(([name, value]) => `${name}:${value}`).join(',')}}`
}
