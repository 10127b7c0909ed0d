import { Decimal } from '@agio/react/internal'
import type { Prompt } from '@agio/sdk/testing'
import { formatUnits, maxUint256, size } from 'viem'
import { parseCall, type Call } from './parseCall.ts'

/** The text of a prompt. */
export type PromptText = {
  /** The request of the page in one sentence. */
  readonly summary: string
  readonly facts: readonly Fact[]
}

/** A line of a prompt: an address or a text. */
export type Fact = { readonly name: string } & (
  | { readonly text: string; readonly address?: undefined }
  | { readonly address: Hex; readonly text?: string | undefined }
)

/** The symbol and decimals of a token. */
export type TokenInfo = { readonly symbol: string; readonly decimals: number }

/** The data that a wallet knows besides the prompt. */
export type PromptContext = {
  /** Tokens by address, in lower case. Their amounts are shown in raw units until they are known. */
  readonly tokens: Readonly<Record<string, TokenInfo>>
  /** Name of a network, by its id. */
  readonly toNetworkName: (chainId: number) => string
  readonly nativeCurrency: TokenInfo
}

type Hex = `0x${string}`

/** Describes the request of a prompt. */
export function describePrompt(
  { method, params }: Pick<Prompt, 'method' | 'params'>,
  context: PromptContext,
): PromptText {
  if (method === 'eth_requestAccounts') {
    return { summary: 'This page wants to see the address of your account, and to ask you for signatures.', facts: [] }
  }
  if (method === 'wallet_switchEthereumChain') return describeSwitch(params, context)
  if (method === 'eth_signTypedData_v4') return describeTypedData(params[1], context)
  if (method === 'eth_sendTransaction') return describeTransaction(params[0] as SentTransaction, context)
  return { summary: 'This page wants to send several calls as one transaction.', facts: [] }
}

/** Lists the tokens of a prompt, whose symbols and decimals the wallet needs. */
export function listTokens({ method, params }: Pick<Prompt, 'method' | 'params'>): readonly Hex[] {
  if (method === 'eth_signTypedData_v4') {
    const { token } = parsePermit(params[1])
    return token ? [token] : []
  }
  if (method !== 'eth_sendTransaction') return []
  const { to, data = '0x' } = params[0] as SentTransaction
  const call = parseCall(data)
  if (call.kind === 'swap') return [call.tokenIn, call.tokenOut]
  return call.kind === 'approve' && to ? [to] : []
}

function describeSwitch([parameter]: readonly unknown[], { toNetworkName }: PromptContext): PromptText {
  const { chainId } = parameter as { readonly chainId: Hex }
  return {
    summary: 'This page wants to switch the network of the wallet.',
    facts: [{ name: 'New network', text: toNetworkName(Number(chainId)) }],
  }
}

function describeTypedData(typedData: unknown, context: PromptContext): PromptText {
  const { token, spender, amountRaw, deadlineSeconds, primaryType, contract } = parsePermit(typedData)
  if (!token || !spender || amountRaw === undefined) {
    const facts = [{ name: 'Type', text: primaryType }, ...toAddress('Contract', contract)]
    return { summary: 'This page wants a signature. It sends nothing.', facts }
  }
  const amount = nameAmount(amountRaw, token, context)
  return {
    summary: `This page wants a signature that lets a contract take ${amount}. It sends nothing, and costs no gas.`,
    facts: [
      { name: 'Amount', text: amount },
      ...toAddress('Token', token, context.tokens[token.toLowerCase()]?.symbol),
      ...toAddress('Spender', spender),
      ...toDeadline(deadlineSeconds),
    ],
  }
}

/** Reads the terms of an EIP-2612 or Permit2 permit. Other typed data has no token. */
function parsePermit(given: unknown) {
  const { domain, primaryType, message } = (typeof given === 'string' ? JSON.parse(given) : given) as TypedData
  const { permitted, spender, value, deadline } = message
  const isPermit = primaryType === 'Permit'
  const amount = isPermit ? value : permitted?.amount
  return {
    primaryType,
    contract: domain.verifyingContract,
    token: isPermit ? domain.verifyingContract : permitted?.token,
    spender,
    amountRaw: amount === undefined ? undefined : BigInt(amount),
    deadlineSeconds: deadline === undefined ? undefined : BigInt(deadline),
  }
}

type TypedData = {
  readonly domain: { readonly verifyingContract?: Hex }
  readonly primaryType: string
  readonly message: {
    readonly spender?: Hex
    readonly value?: string
    readonly deadline?: string
    readonly permitted?: { readonly token: Hex; readonly amount: string }
  }
}

function describeTransaction(transaction: SentTransaction, context: PromptContext): PromptText {
  const { from, to, data = '0x', value = '0x0', gas, maxFeePerGas, nonce } = transaction
  const call = parseCall(data)
  const { nativeCurrency } = context
  const native = (raw: bigint) =>
    `${Decimal.format(Decimal.trim(formatUnits(raw, nativeCurrency.decimals)))} ${nativeCurrency.symbol}`
  const isCancellation =
    nonce !== undefined && data === '0x' && BigInt(value) === 0n && to?.toLowerCase() === from?.toLowerCase()
  const { summary, facts } = isCancellation ? cancellation : describeCall(call, { to, context })
  const fee =
    gas && maxFeePerGas ? [{ name: 'Fee', text: `at most ${native(BigInt(gas) * BigInt(maxFeePerGas))}` }] : []
  return {
    summary,
    facts: [
      ...facts,
      ...(isCancellation ? [] : [...toAddress('Contract', to), { name: 'Function', text: call.name }]),
      { name: 'Value', text: native(BigInt(value)) },
      ...fee,
      ...(nonce ? [{ name: 'Replaces', text: `the pending transaction of nonce ${Number(nonce)}` }] : []),
      { name: 'Calldata', text: `${size(data)} bytes` },
    ],
  }
}

const cancellation: PromptText = {
  summary: 'This page wants to cancel a pending transaction, by an empty transfer to your own account.',
  facts: [],
}

type SentTransaction = {
  readonly from?: Hex
  readonly nonce?: Hex
  readonly to?: Hex
  readonly data?: Hex
  readonly value?: Hex
  readonly gas?: Hex
  readonly maxFeePerGas?: Hex
}

type Called = { readonly to: Hex | undefined; readonly context: PromptContext }

function describeCall(call: Call, { to, context }: Called): PromptText {
  if (call.kind === 'swap') return describeSwap(call, context)
  if (call.kind === 'approve' && to) return describeApproval(call, { token: to, context })
  if (call.kind === 'claim') return { summary: 'This page wants to claim test tokens from the faucet.', facts: [] }
  return { summary: 'This page wants to send a transaction.', facts: [] }
}

function describeApproval(
  { spender, amountRaw }: Extract<Call, { kind: 'approve' }>,
  { token, context }: { readonly token: Hex; readonly context: PromptContext },
): PromptText {
  const symbol = context.tokens[token.toLowerCase()]?.symbol
  const amount =
    amountRaw === maxUint256 ? `any amount of ${symbol ?? 'the token'}` : nameAmount(amountRaw, token, context)
  const summary =
    amountRaw === 0n
      ? `This page wants to revoke the approval of ${symbol ?? 'a token'}.`
      : `This page wants to let a contract take ${amount}.`
  return {
    summary,
    facts: [{ name: 'Amount', text: amount }, ...toAddress('Token', token, symbol), ...toAddress('Spender', spender)],
  }
}

function describeSwap(swap: Extract<Call, { kind: 'swap' }>, context: PromptContext): PromptText {
  const { tokenIn, tokenOut, amountInRaw, amountOutRaw, isExactOut, recipient, deadlineSeconds } = swap
  const pays = `${isExactOut ? 'at most ' : ''}${nameAmount(amountInRaw, tokenIn, context)}`
  const receives = `${isExactOut ? '' : 'at least '}${nameAmount(amountOutRaw, tokenOut, context)}`
  return {
    summary: `This page wants to convert ${pays} to ${receives}.`,
    facts: [
      { name: 'Pays', text: pays },
      { name: 'Receives', text: receives },
      ...toAddress('Recipient', recipient),
      ...toDeadline(deadlineSeconds),
    ],
  }
}

function nameAmount(raw: bigint, token: Hex, { tokens }: PromptContext): string {
  const info = tokens[token.toLowerCase()]
  return info ? `${Decimal.format(Decimal.trim(formatUnits(raw, info.decimals)))} ${info.symbol}` : `${raw} raw units`
}

function toAddress(name: string, address: Hex | undefined, text?: string): readonly Fact[] {
  return address === undefined ? [] : [{ name, address, text }]
}

function toDeadline(seconds: bigint | undefined): readonly Fact[] {
  if (seconds === undefined) return []
  // A later time is not valid for a `Date`.
  const isNever = seconds > 8_640_000_000_000n
  return [{ name: 'Valid until', text: isNever ? 'for ever' : new Date(Number(seconds) * 1000).toLocaleString() }]
}
