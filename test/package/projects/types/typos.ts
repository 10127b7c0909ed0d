// Each line below the comment of an expected error is one: otherwise the compiler reports that the error is missing.
import { createAgio, isAgioError } from '@agio/sdk'

const agio = createAgio({ url: 'https://agio.example', apiKey: 'key' })
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

// @ts-expect-error There is no such option.
createAgio({ url: 'https://agio.example', apikey: 'key' })
// @ts-expect-error There is no such noun.
export const noun = agio.api.pool
// @ts-expect-error There is no such operation.
export const operation = agio.api.convert.qoute
// @ts-expect-error The operations of operators are under another entry.
export const admin = agio.api.admin
// @ts-expect-error There is no such field.
export const input = agio.api.pools.get.query({ poolAdress: token })
// @ts-expect-error There is no such network.
export const network = agio.api.pools.list.query({ chainId: 1 })
// @ts-expect-error A text is not an address.
export const address = agio.api.pools.get.query({ poolAddress: 'token' })
// @ts-expect-error An amount is text.
export const amount = agio.api.convert.quote.query({ tokenIn: token, tokenOut: token, amountIn: 100 })
// @ts-expect-error A query is not a mutation.
export const kind = agio.api.pools.list.mutate()
// @ts-expect-error A broadcast is not a query.
export const broadcast = agio.api.transaction.broadcast.query({ signedTransaction: '0x02' })
/** A function, because a CommonJS file has no `await` outside of one. */
export async function convert(): Promise<unknown> {
  // @ts-expect-error The output has no such field.
  const output = (await agio.api.chains.list.query()).chain

  const quote = await agio.quote({ chainId: 84532, tokenIn: token, tokenOut: token, amountIn: '100' })
  const wallet = { request: (): Promise<unknown> => Promise.resolve() }
  // @ts-expect-error The limit of a quote depends on its mode.
  quote.minAmountOut.trim()
  // @ts-expect-error A quote needs one of the two amounts.
  agio.quote({ chainId: 84532, tokenIn: token, tokenOut: token })
  // @ts-expect-error A quote is of one of the two amounts.
  agio.quote({ chainId: 84532, tokenIn: token, tokenOut: token, amountIn: '1', amountOut: '1' })
  // @ts-expect-error A quote names its chain.
  agio.quote({ tokenIn: token, tokenOut: token, amountIn: '1' })
  // @ts-expect-error There is no such option.
  agio.convert({ quote, wallet, onExpired: 'fail' })
  // @ts-expect-error A wallet has `request`.
  agio.convert({ quote, wallet: { send: wallet.request } })
  for await (const step of agio.convert({ quote, wallet })) {
    // @ts-expect-error There is no such kind.
    if (step.kind === 'approval') break
    // @ts-expect-error There is no such status.
    if (step.status === 'confirmed') break
    // @ts-expect-error Only a confirmed step has the receipt.
    console.log(step.receipt)
  }
  return output
}

export function explain(error: unknown): unknown {
  if (!isAgioError(error)) return undefined
  // @ts-expect-error There is no such code.
  if (error.code === 'svc/stale-prices') return undefined
  // @ts-expect-error The fields of a code come with that code only.
  if (error.code === 'svc/no-route') return error.details.oracle
  return error.action
}
