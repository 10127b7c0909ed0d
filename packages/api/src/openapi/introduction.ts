import { Network } from '@agio/core'

/** The introduction of the OpenAPI document, in Markdown. */
export const introduction = `Agio converts stablecoins through oracle-anchored pools. It is non-custodial: the service builds transactions, your wallet signs them.

## Flow

1. \`POST /api/v1/convert/preview\` returns the output of a conversion at the newest block, and a \`recommendedMinAmountOut\`. \`POST /api/v1/convert/ladder\` returns the outputs of many amounts.
2. \`POST /api/v1/approval/check\` returns whether the router may take the input token. If it may not, \`POST /api/v1/approval/build\` returns an approval to sign and send.
3. \`POST /api/v1/transaction/build/convert\` returns the unsigned conversion. \`issues\` lists a missing allowance, token balance or gas balance.
4. Set the nonce returned by \`GET /api/v1/transaction/nonce/{address}\`, then sign.
5. \`POST /api/v1/transaction/broadcast/convert\` sends the signed transaction, waits for its receipt and compares the result with the oracles' prices.
6. While the status is \`pending\`, poll \`POST /api/v1/transaction/track\` with the \`cursor\` of its last response. It also reports a replacement, a reorganisation, and when the block is final.
7. \`POST /api/v1/convert/receipt\` explains a mined conversion by its hash, even if your wallet sent it without the service.

\`POST /api/v1/convert/quote\` fixes the terms of a conversion for a limited time, for an exact input or an exact output. Send the quote in steps 3 and 5 instead of tokens and amounts. A transaction that differs from the quote is refused before it is sent. If a wallet does not return signed transactions, pass the \`transaction\` of step 3 unchanged to \`eth_sendTransaction\`.

**One signature instead of two transactions.** Instead of step 2, call \`POST /api/v1/approval/plan\`. It returns the steps for the wallet, with a reason for its user: none, a signature, or an approval. Sign the \`typedData\` of a step by \`eth_signTypedData_v4\`, and send its \`permit\` with the \`signature\` to step 3. The conversion then carries the signature. If the signature would fail on chain, the error is \`svc/invalid-permit\`: use the \`fallback\` of the step instead. A wallet that supports batches sends the \`calls\` of step 3 by \`wallet_sendCalls\`.

\`GET /api/v1/chains\` lists the networks with their routers and tokens. Test tokens come from \`POST /api/v1/faucet/build/claim-all\`. Amounts are decimal strings of whole tokens, such as \`"1000.5"\`. Times are ISO 8601 in UTC, except \`deadline\`, which is Unix time in seconds. \`chainId\` is a JSON number. Where it is optional, the default is ${Network.defaultChainId}. \`HEAD\` works wherever \`GET\` works, and also counts as one call.

Each operation is also available over tRPC, by the name in \`x-procedure\`. Metrics and the usage of a key use the same name.

## Keys

Each request needs an API key in the header \`X-API-Key\`. Requests to \`admin/*\` need the admin key in \`X-Admin-Key\`. A local stack (\`pnpm start\`) has fixed keys: \`local-key\` and \`local-admin-key\`. The examples of this document use the addresses of a local stack, which are the same at each start.

Limits are per key. The header \`RateLimit-Policy\` contains the limits, and \`RateLimit\` what remains.

## Errors

An error has \`"success": false\`, a stable \`code\` such as \`svc/stale-price\`, whether the same request is \`retryable\`, and the \`action\` to take next. Handle errors by their \`code\`, because messages may change. \`429\` and \`503\` have the header \`Retry-After\`. All codes are listed at [/docs/errors](/docs/errors).

The guides at [/docs](/docs) have an example for each task.
`

/** The contact of the document. The operator provides keys and help. */
export const contact = { name: 'The operator of this service' }

/** The licence of the API. */
export const license = { name: 'MIT', identifier: 'MIT' }

/** The tags of operations, in the order of the documentation. */
export const tags = [
  { name: 'Chains', description: 'Networks with their contracts and tokens' },
  { name: 'Convert', description: 'Preview conversions' },
  { name: 'Approval', description: 'Plan, check, build and revoke allowances' },
  { name: 'Transaction', description: 'Build, broadcast and follow transactions' },
  { name: 'Pools', description: 'Pools of a network' },
  { name: 'Oracle', description: 'Prices of tokens' },
  { name: 'Liquidity', description: 'Preview deposits and withdrawals' },
  { name: 'Faucet', description: 'Test tokens' },
  { name: 'Keys', description: 'The API key of the request' },
  { name: 'Usage', description: 'Usage of the API key' },
  { name: 'Stream', description: 'Changes as Server-Sent Events' },
  { name: 'Webhooks', description: 'Deliver events of transactions and markets' },
  { name: 'Health', description: 'State of the service' },
  { name: 'Admin', description: 'Keys, usage and quotes, for operators' },
  { name: 'Swap', description: 'Deprecated names of conversion operations' },
] as const
