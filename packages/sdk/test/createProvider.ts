import type { WalletTransaction } from '../src/api/schemas.ts'

export const account = '0xa610A610a610A610a610A610A610a610A610a610'
export const other = '0x00000000000000000000000000000000000000B2'
export const hash = `0x${'ab'.repeat(32)}` as const
export const chainId = 84532
export const transaction: WalletTransaction = {
  from: account,
  to: other,
  data: '0x9d73b325',
  value: '0x0',
  gas: '0x5208',
  maxFeePerGas: '0x2',
  maxPriorityFeePerGas: '0x1',
  chainId: '0x14a34',
  type: '0x2',
}
export const batch = { id: 'batch-1', chainId, calls: [{ to: account, data: '0x9d73b325', value: '0x0' }] } as const

type Responses = Readonly<Record<string, unknown>>

/** Creates a provider with a response for each method: a value, an error to throw, or a function of the parameters. */
export function createProvider(responses: Responses = {}) {
  const all: Responses = { eth_accounts: [account], eth_chainId: '0x14a34', ...responses }
  const requests: { readonly method: string; readonly params?: unknown }[] = []
  const request = async (args: { method: string; params?: unknown }): Promise<unknown> => {
    requests.push(args)
    if (!(args.method in all)) throw rpcError(4200)
    const response = all[args.method]
    const value: unknown = typeof response === 'function' ? await response(args.params) : response
    if (value instanceof Error) throw value
    return value
  }
  const paramsOf = (method: string) => requests.filter((each) => each.method === method).map(({ params }) => params)
  return { request, requests, paramsOf }
}

export function rpcError(code: number, fields: object = {}): Error {
  return Object.assign(new Error(`code ${code}`), { code, ...fields })
}

export const never = () => new Promise<never>(() => {})
