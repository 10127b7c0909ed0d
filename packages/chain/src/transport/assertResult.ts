const data = /^0x([0-9a-f]{2})*$/i
const quantity = /^0x[0-9a-f]{1,64}$/i
const hash = /^0x[0-9a-f]{64}$/i

const texts: Readonly<Record<string, RegExp>> = {
  eth_blockNumber: quantity,
  eth_call: data,
  eth_chainId: quantity,
  eth_estimateGas: quantity,
  eth_getBalance: quantity,
  eth_getTransactionCount: quantity,
  eth_sendRawTransaction: hash,
}

// A transaction or a receipt that there is none of is null; there is always a newest block.
const objects = new Set(['eth_getBlockByNumber', 'eth_feeHistory'])

/**
 * Makes sure that what a node answers can be an answer to the method, as far as its form tells.
 *
 * @throws `Error` if not, so that another node is asked
 */
export function assertResult(method: string, result: unknown): void {
  const form = texts[method]
  const isText = form === undefined || (typeof result === 'string' && form.test(result))
  const isObject = !objects.has(method) || (typeof result === 'object' && result !== null)
  if (!isText || !isObject) throw new Error(`the node answers ${method} with garbage`)
}
