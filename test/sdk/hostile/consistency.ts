import { numberToHex, parseUnits } from 'viem'
import type { Answer, Change, Json } from './createTamperingFetch.ts'

/**
 * Wraps the change of a service so that it stays consistent: what it changes in a quote it also changes in the calls, the
 * typed data and the plans of its later answers. Amounts fit the decimals of their tokens. A quote that differs from its
 * calldata would be refused at once.
 */
export function stayConsistent(change: Change): Change {
  const replacements = new Map<string, string>()
  return async (answer, call) => {
    if (!isQuote(answer)) return await change(replaceAll(answer, replacements), call)
    const changed = await change(answer, call)
    replacements.clear()
    if (!isQuote(changed)) return changed
    const fitted = fitAmounts(changed)
    for (const [from, to] of compareQuotes(answer, fitted)) replacements.set(from, to)
    return fitted
  }
}

type QuoteAnswer = { readonly result: { readonly data: Json } }

function isQuote(answer: Answer): answer is QuoteAnswer {
  return 'result' in answer && typeof answer.result.data?.spender === 'string'
}

/** Cuts the digits of amounts that the decimals of their token do not allow. */
function fitAmounts({ result: { data: quote } }: QuoteAnswer): QuoteAnswer {
  const fit = (amount: Json, token: Json): Json => {
    const [whole, fraction] = typeof amount === 'string' ? amount.split('.') : []
    if (fraction === undefined || !(token?.decimals < fraction.length)) return amount
    return token.decimals > 0 ? `${whole}.${fraction.slice(0, token.decimals)}` : whole
  }
  const { tokenIn, tokenOut, ...others } = quote
  const amounts = {
    amountIn: fit(others.amountIn, tokenIn),
    maxAmountIn: fit(others.maxAmountIn, tokenIn),
    amountOut: fit(others.amountOut, tokenOut),
    minAmountOut: fit(others.minAmountOut, tokenOut),
  }
  const given = Object.entries(amounts).filter(([name]) => name in others)
  return { result: { data: { ...quote, ...Object.fromEntries(given) } } }
}

/** Lists the values of a quote that another quote has changed, in each form in which answers contain them. */
function compareQuotes({ result: { data: honest } }: QuoteAnswer, { result: { data: lying } }: QuoteAnswer) {
  const [before, after] = [listForms(honest), listForms(lying)]
  return before.flatMap((form, index): [string, string][] => {
    const changed = after[index]
    return changed === undefined || changed === form ? [] : [[form, changed]]
  })
}

/** Lists the values of a quote: as they are, and as words of calldata. */
function listForms(quote: Json): readonly string[] {
  const { tokenIn, tokenOut, route, spender, amountIn, amountOut, minAmountOut, maxAmountIn, expiresAt } = quote
  const pools = [0, 1].map((index) => route?.[index]?.address as unknown)
  const addresses = [spender, tokenIn?.address, tokenOut?.address, ...pools].map((address) =>
    `${address}`.toLowerCase(),
  )
  const raws = [
    ...[amountIn, maxAmountIn].map((amount) => toRaw(amount, tokenIn?.decimals)),
    ...[amountOut, minAmountOut].map((amount) => toRaw(amount, tokenOut?.decimals)),
    toSeconds(expiresAt),
  ]
  const numbers = raws.flatMap((raw) => (raw === undefined ? ['', ''] : [`${raw}`, toWord(raw)]))
  const words = addresses.map((address) => address.slice(2).padStart(64, '0'))
  return [...addresses, ...words, ...numbers, ...[amountIn, maxAmountIn, expiresAt].map(String)]
}

function toRaw(amount: unknown, decimals: unknown): bigint | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(String(amount)) || !Number.isInteger(decimals)) return undefined
  return parseUnits(String(amount), Number(decimals))
}

function toSeconds(time: unknown): bigint | undefined {
  const seconds = Math.floor(Date.parse(String(time)) / 1000)
  return seconds > 0 ? BigInt(seconds) : undefined
}

function toWord(raw: bigint): string {
  return numberToHex(BigInt.asUintN(256, raw), { size: 32 }).slice(2)
}

/** Replaces values and words of calldata. */
function replaceAll(answer: Answer, replacements: ReadonlyMap<string, string>): Answer {
  if (replacements.size === 0) return answer
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) => {
    if (typeof value === 'number') return Number(replacements.get(`${value}`) ?? value)
    if (typeof value !== 'string') return value
    if (/^0x[0-9a-f]{73,}$/i.test(value)) return replaceWords(value, replacements)
    return replacements.get(value.toLowerCase()) ?? replacements.get(value) ?? value
  }) as Answer
}

function replaceWords(data: string, replacements: ReadonlyMap<string, string>): string {
  const words = data.slice(10).match(/.{1,64}/g) ?? []
  return `${data.slice(0, 10)}${words.map((word) => replacements.get(word.toLowerCase()) ?? word).join('')}`
}
