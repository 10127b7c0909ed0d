import type { Base } from './Base.ts'
import { encodeText } from './encodeText.ts'

/** Writes the call of a base with other input: the request's target, and its body if it has one. */
export function writeCall({ path, place }: Base, text: string): writeCall.Call {
  if (place === 'body') return { target: path, body: Buffer.from(text) }
  if (place === 'input') return { target: `${path}?input=${encodeText(text)}` }
  return { target: text === '' ? path : `${path}?${text}` }
}

export declare namespace writeCall {
  type Call = { readonly target: string; readonly body?: Buffer }
}
