import type { ValidCall, Pairs } from './createValidCalls.ts'

/** The target and the body of a call with another input. */
export function writeCall({ path, place }: ValidCall, text: string): writeCall.Call {
  if (place === 'body') return { target: path, body: Buffer.from(text) }
  if (place === 'input') return { target: `${path}?input=${encodeText(text)}` }
  return { target: text === '' ? path : `${path}?${text}` }
}

export declare namespace writeCall {
  type Call = { readonly target: string; readonly body?: Buffer }
}

/** Percent-encodes a text for a query; a lone surrogate becomes the replacement character. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Formats an input as a query or as JSON, according to the call. */
export function writeInput({ place }: ValidCall, fields: Pairs): string {
  if (place === 'query') return fields.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&')
  return `{${fields.map(([name, value]) => `${name}:${value}`).join(',')}}`
}
