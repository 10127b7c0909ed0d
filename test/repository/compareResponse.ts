import { runInNewContext } from 'node:vm'

// Stands for what a document leaves out: the rest of a text, fields of an object, or elements of a list.
const cut = '…'

const volatileFields =
  /^(block(Number|Hash|Timestamp)|transactionHash|deadline|nonce|confirmations|requestId|\w*[gG]as\w*|\w*(At|Open|Close|Seconds))$/

/**
 * Lists the differences between a response that a document shows and the real response, each with its path. Hashes, times and
 * gas are compared by their form, because they differ each time.
 *
 * @param shown JSON in which `…` stands for cut text, fields or elements
 */
export function compareResponse(shown: string, real: string): readonly string[] {
  const text = shown.replaceAll(/"(?:[^"\\]|\\.)*"|…/g, (token) => (token === cut ? 'cut' : token))
  return compare(runInNewContext(`(${text})`, { cut }), JSON.parse(real), { path: '', field: '' })
}

/** Returns whether an output equals a text in which `…` stands for anything. */
export function isShownAs(shown: string, output: string): boolean {
  const parts = shown.split(cut).map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(output)
}

type Place = { readonly path: string; readonly field: string }

function compare(shown: unknown, real: unknown, place: Place): readonly string[] {
  if (Array.isArray(shown)) return compareLists(shown, real, place)
  if (typeof shown === 'object' && shown !== null) return compareObjects(shown, real, place)
  return isShownValue(shown, real, place) ? [] : [`${place.path}: ${String(shown)}, but it is ${JSON.stringify(real)}`]
}

function compareObjects({ cut: isCut, ...shown }: { readonly cut?: string }, real: unknown, { path }: Place) {
  if (typeof real !== 'object' || real === null) return [`${path}: an object, but it is ${JSON.stringify(real)}`]
  const fields = Object.entries(shown)
  const missing = isCut === undefined ? Object.keys(real).filter((field) => !Object.hasOwn(shown, field)) : []
  return [
    ...missing.map((field) => `${path}.${field}: left out without …`),
    ...fields.flatMap(([field, value]) => compare(value, real[field as never], { path: `${path}.${field}`, field })),
  ]
}

function compareLists(shown: readonly unknown[], real: unknown, { path, field }: Place): readonly string[] {
  if (!Array.isArray(real)) return [`${path}: a list, but it is ${JSON.stringify(real)}`]
  const at = shown.indexOf(cut)
  const [head, tail] = at === -1 ? [shown, []] : [shown.slice(0, at), shown.slice(at + 1)]
  const isLength = at === -1 ? real.length === shown.length : real.length >= head.length + tail.length
  if (!isLength) return [`${path}: ${shown.length} elements, but there are ${real.length}`]
  const compareFrom = (values: readonly unknown[], start: number) =>
    values.flatMap((value, index) => compare(value, real[start + index], { path: `${path}[${start + index}]`, field }))
  return [...compareFrom(head, 0), ...compareFrom(tail, real.length - tail.length)]
}

function isShownValue(shown: unknown, real: unknown, { field }: Place): boolean {
  if (typeof shown !== typeof real) return false
  const toText = volatileFields.test(field) ? toForm : String
  return isShownAs(toText(shown), toText(real))
}

/** Returns a value with each run of hexadecimal digits replaced. */
function toForm(value: unknown): string {
  return String(value).replaceAll(/[0-9a-f]+/gi, '0')
}
