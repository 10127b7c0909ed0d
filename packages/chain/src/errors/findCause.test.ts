import { RpcRequestError } from 'viem'
import { expect, it } from 'vitest'
import { findCause, type Cause } from './findCause.ts'

const causeOf = (code: number, message: string, data?: unknown) =>
  findCause(new RpcRequestError({ body: {}, error: { code, message, data }, url: 'http://node.example/' }))

/** What clients send: geth, op-geth, Nitro, Erigon, reth, Nethermind, Besu, Hardhat, anvil, `@ethereumjs/client`, providers. */
const cases: readonly (readonly [Cause | undefined, number, string, unknown?])[] = [
  ['known', -32000, 'already known'],
  ['known', -32000, 'ALREADY_EXISTS: already known'],
  ['known', -32010, 'AlreadyKnown'],
  ['known', -32000, 'Known transaction: 0x12'],
  ['known', -32003, 'transaction already imported'],
  ['known', -32000, 'existing tx with same hash'],
  ['known', -32010, 'Transaction with the same hash was already imported.'],
  ['delegated', -32000, 'in-flight transaction limit reached for delegated accounts'],
  ['delegated', -32003, 'gapped-nonce tx from delegated accounts'],
  ['delegated', -32010, 'DelegatorHasPendingTx'],
  ['nonce-used', -32000, 'nonce too low: next nonce 5, tx nonce 4'],
  ['nonce-used', -32000, 'nonce too low: address 0xAbc, tx: 1 state: 2'],
  ['nonce-used', -32001, 'Nonce too low'],
  ['nonce-used', -32010, 'OldNonce, Current nonce: 3, nonce of rejected tx: 1'],
  ['nonce-used', -32010, 'Transaction nonce is too low. Try incrementing the nonce.'],
  ['nonce-used', -32000, 'invalid transaction nonce'],
  ['nonce-used', -32000, "failed to forward tx to sequencer, please try again. Error message: 'nonce too low'"],
  ['nonce-used', -32603, 'Internal JSON-RPC error.', { code: -32000, message: 'nonce too low' }],
  ['nonce-used', -32603, 'processing response error', '{"error":{"code":-32000,"message":"nonce too low"}}'],
  ['nonce-gap', -32000, 'Nonce too high. Expected nonce to be 1 but got 3.'],
  ['nonce-gap', -32010, 'NonceGap, Future nonce. Expected nonce: 3'],
  ['underpriced', -32000, 'replacement transaction underpriced'],
  ['underpriced', -32000, 'transaction underpriced: gas tip cap 1, minimum needed 1000000'],
  ['underpriced', -32010, 'ReplacementNotAllowed'],
  ['underpriced', -32010, 'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 2'],
  ['underpriced', -32009, 'Gas price below configured minimum gas price'],
  ['underpriced', -32000, 'gas price too low'],
  ['underpriced', -32000, 'max fee per gas less than block base fee: address 0xabc, maxFeePerGas: 1, baseFee: 2'],
  ['underpriced', -32000, 'maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 2'],
  ['underpriced', -32000, 'fee cap less than block base fee'],
  ['funds', -32000, 'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1'],
  ['funds', -32003, 'insufficient funds for gas * price + value: have 1 want 2'],
  ['funds', -32000, 'not enough funds for gas'],
  ['funds', -32000, 'insufficient balance for transfer'],
  ['funds', -32000, 'transaction would cause overdraft'],
  ['funds', -32004, 'Upfront cost exceeds account balance'],
  ['funds', -32010, 'InsufficientFunds, Account balance: 1, cumulative cost: 2'],
  ['funds', -32000, "Sender doesn't have enough funds to send tx. The max upfront cost is: 2"],
  ['funds', -32000, 'insufficient funds for l1Fee + l2Fee + value'],
  ['intrinsic-gas', -32000, 'intrinsic gas too low'],
  ['intrinsic-gas', -32003, 'Intrinsic gas exceeds gas limit'],
  ['block-gas-limit', -32005, 'Transaction gas limit exceeds block gas limit'],
  ['block-gas-limit', -32000, 'exceeds block gas limit'],
  ['block-gas-limit', -32010, 'GasLimitExceeded, Gas limit: 1, gas limit of rejected tx: 2'],
  ['block-gas-limit', -32000, 'transaction gas limit too high (cap: 16777216, tx: 20000000)'],
  ['form', -32000, 'invalid sender'],
  ['reverted', 3, 'execution reverted: nonce too low'],
  ['rate', -32005, 'limit exceeded'],
  ['rate', -32000, '429 Too Many Requests: {"jsonrpc":"2.0","error":{"code":-32016,"message":"over rate limit"}}'],
  ['rate', -32007, '50/second request limit reached - reduce calls per second'],
  ['rate', -32090, 'call rate limit exhausted, retry in 10s'],
  ['state', -32000, 'header not found'],
  ['state', -32001, 'Resource not found'],
  ['state', -32000, 'missing trie node 12 (path )'],
  ['gas', -32015, 'VM execution error: OutOfGas'],
  // The cause is unknown for every code. The node may have passed the transaction on.
  [undefined, -32000, 'failed to forward tx to sequencer, please try again. Error message: context deadline exceeded'],
  [undefined, -32000, 'Post "https://sequencer.example": dial tcp: connect: connection refused'],
  [undefined, -32000, 'txpool is full'],
  [undefined, -32000, 'queue is full'],
  [undefined, -32003, 'transaction rejected'],
  [undefined, -32010, 'Invalid'],
  [undefined, 3, 'sequencer temporarily not available'],
  [undefined, -32603, 'internal error'],
  [undefined, -32000, 'unknown transaction type'],
  [undefined, -32000, 'Insufficient funds in your account, please top up your plan'],
]

it.each(cases.map(([cause, code, message, data]) => ({ cause, code, message, data })))(
  'an error has the cause $cause if the node says: $code $message',
  ({ cause, code, message, data }) => {
    expect(causeOf(code, message, data)).toBe(cause)
  },
)
