import type { ValidCall, Pairs } from './createValidCalls.ts'

/** The target and the body of a call with another input. */
export function writeCall({ form, path, place }: ValidCall, text: string): writeCall.Call {
  const isBatch = form === 'httpBatchLink' || form === 'httpBatchStreamLink'
  const [input, flag] = isBatch ? [`{"0":${text}}`, 'batch=1'] : [text, undefined]
  if (place === 'body') return { target: flag === undefined ? path : `${path}?${flag}`, body: Buffer.from(input) }
  if (place === 'input') return { target: `${path}?${flag === undefined ? '' : `${flag}&`}input=${encodeText(input)}` }
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
