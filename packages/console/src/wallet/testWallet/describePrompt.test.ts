import { describe, expect, it } from 'vitest'
import { describePrompt, listTokens, type PromptContext } from './describePrompt.ts'

const [aud, usd] = ['0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', '0x5FbDB2315678afecb367f032d93F642f64180aa3'] as const
const router = '0x8A791620dd6260079BF849Dc5567aDC3F2FdC318'
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const context: PromptContext = {
  tokens: {
    [aud.toLowerCase()]: { symbol: 'tAUD', decimals: 6 },
    [usd.toLowerCase()]: { symbol: 'tUSD', decimals: 6 },
  },
  toNetworkName: (chainId) => `Network ${chainId}`,
  nativeCurrency: { symbol: 'ETH', decimals: 18 },
}

const word = (value: bigint | string) =>
  (typeof value === 'string' ? BigInt(value) : value).toString(16).padStart(64, '0')
const toCalldata = (selector: string, ...values: readonly (bigint | string)[]) =>
  `${selector}${values.map(word).join('')}`

const read = (method: 'eth_sendTransaction' | 'eth_signTypedData_v4', params: readonly unknown[]) => {
  const { summary, facts } = describePrompt({ method, params }, context)
  return { summary, facts: Object.fromEntries(facts.map(({ name, text, address }) => [name, text ?? address])) }
}
const readTransaction = (to: string, data: string) =>
  read('eth_sendTransaction', [{ from: account, to, data, gas: '0x10455', maxFeePerGas: '0xf424e' }])

describe('describePrompt', () => {
  it('a transaction that converts names both amounts, the recipient and the deadline, with the mark after its arguments', () => {
    const swap = [usd, aud, usd, 100_000_000n, 65_054_896n, account, 4_000_000_000n]
    const permit = [0x100n, 100_000_000n, 4_000_000_000n, 0x60n, 0n]
    const data = `${toCalldata('0xdabb9bf9', ...swap, ...permit)}d637463f9efc44628eb807ac97b8c758`
    const { summary, facts } = readTransaction(router, data)
    expect(summary).toBe('This page wants to convert 100 tAUD to at least 65.054896 tUSD.')
    expect(facts).toMatchObject({
      Pays: '100 tAUD',
      Receives: 'at least 65.054896 tUSD',
      Recipient: account,
      Contract: router,
      Function: 'originSwapWithPermit',
      Value: '0 ETH',
      Fee: 'at most 0.00000006664593303 ETH',
      Calldata: '404 bytes',
    })
    expect(listTokens({ method: 'eth_sendTransaction', params: [{ to: router, data }] })).toEqual([aud, usd])
  })

  it.each([
    ['of a pool', '0x0b2583c8', [aud, usd, 100n, 60n, 4n]],
    ['of a router', '0x9d73b325', [usd, aud, usd, 100n, 60n, 4n]],
    ['of a router to a recipient', '0x640d1266', [usd, aud, usd, 100n, 60n, account, 4n]],
  ])('a conversion %s is read', (_, selector, values) => {
    expect(readTransaction(router, toCalldata(selector, ...values)).summary).toBe(
      'This page wants to convert 0.0001 tAUD to at least 0.00006 tUSD.',
    )
  })

  it('an empty transfer to oneself with a nonce cancels the pending transaction of that nonce', () => {
    const transaction = { from: account, to: account, data: '0x', value: '0x0', nonce: '0x7' }
    const { summary, facts } = read('eth_sendTransaction', [transaction])
    expect(summary).toMatch(/^This page wants to cancel a pending transaction/)
    expect(facts).toEqual({ Value: '0 ETH', Replaces: 'the pending transaction of nonce 7', Calldata: '0 bytes' })
    const { nonce: _, ...plain } = transaction
    expect(read('eth_sendTransaction', [plain]).summary).toBe('This page wants to send a transaction.')
  })

  it('a conversion for an exact output pays at most an amount', () => {
    const data = toCalldata('0x7dc47a18', usd, aud, usd, 100_000_000n, 64_000_000n, 4n)
    expect(readTransaction(router, data).summary).toBe('This page wants to convert at most 100 tAUD to 64 tUSD.')
  })

  it.each([
    [10_000_000n, 'This page wants to let a contract take 10 tUSD.'],
    [0n, 'This page wants to revoke the approval of tUSD.'],
    [2n ** 256n - 1n, 'This page wants to let a contract take any amount of tUSD.'],
  ])('an approval of %s says how much may be taken', (amount, summary) => {
    const described = readTransaction(usd, toCalldata('0x095ea7b3', router, amount))
    expect(described).toMatchObject({ summary, facts: { Token: 'tUSD', Spender: router, Function: 'approve' } })
  })

  it('a function that is not known is named by its selector', () => {
    expect(readTransaction(router, '0x12345678')).toMatchObject({
      summary: 'This page wants to send a transaction.',
      facts: { Function: '0x12345678', Calldata: '4 bytes' },
    })
    expect(readTransaction(router, '0x').facts).toMatchObject({ Function: 'none', Calldata: '0 bytes' })
  })

  it('amounts of a token that is not known yet are in raw units', () => {
    const data = toCalldata('0x095ea7b3', router, 10n)
    const params = [{ to: usd, data }]
    const { facts } = describePrompt({ method: 'eth_sendTransaction', params }, { ...context, tokens: {} })
    expect(facts).toContainEqual({ name: 'Amount', text: '10 raw units' })
  })

  it('a permit names the token, the amount and the spender, and that it sends nothing', () => {
    const message = { owner: account, spender: router, value: '100000000', nonce: '2', deadline: '4000000000' }
    const typedData = JSON.stringify({ domain: { verifyingContract: aud }, primaryType: 'Permit', message })
    const { summary, facts } = read('eth_signTypedData_v4', [account, typedData])
    expect(summary).toMatch(/take 100 tAUD\. It sends nothing/)
    expect(facts).toMatchObject({ Amount: '100 tAUD', Token: 'tAUD', Spender: router })
    expect(listTokens({ method: 'eth_signTypedData_v4', params: [account, typedData] })).toEqual([aud])
  })

  it('a signature for Permit2 names the permitted token', () => {
    const message = { permitted: { token: usd, amount: '5000000' }, spender: router, deadline: '4' }
    const primaryType = 'PermitWitnessTransferFrom'
    const typedData = { domain: { verifyingContract: aud }, primaryType, message }
    expect(read('eth_signTypedData_v4', [account, typedData]).facts).toMatchObject({
      Amount: '5 tUSD',
      Token: 'tUSD',
      Spender: router,
    })
  })

  it('other typed data is named by its type', () => {
    const typedData = { domain: {}, primaryType: 'Mail', message: {} }
    expect(read('eth_signTypedData_v4', [account, typedData]).facts).toEqual({ Type: 'Mail' })
  })

  it('a switch names the new network', () => {
    const params = [{ chainId: '0x10' }]
    expect(describePrompt({ method: 'wallet_switchEthereumChain', params }, context).facts).toEqual([
      { name: 'New network', text: 'Network 16' },
    ])
  })
})
