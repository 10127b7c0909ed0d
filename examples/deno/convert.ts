// Converts tEUR to exactly 50 tUSD, and prints each step.
import { createAgio, isAgioError } from '@agio/sdk'
import { localContracts, testAccounts } from '@agio/sdk/testing'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const chainId = 84532
const agio = createAgio({ url: 'http://127.0.0.1:3000', apiKey: 'local-key', contracts: localContracts })
const account = privateKeyToAccount(testAccounts[3].privateKey)
const wallet = createWalletClient({ account, transport: http('http://127.0.0.1:8545') }).extend(publicActions)

await claimTokens()
const { chains } = await agio.api.chains.list.query()
const tokens = chains.find((chain) => chain.chainId === chainId)?.tokens ?? []
const quote = await agio.quote({ chainId, tokenIn: addressOf('tEUR'), tokenOut: addressOf('tUSD'), amountOut: '50' })
console.log(`50 tUSD cost ${quote.amountIn} tEUR, and at most ${quote.maxAmountIn}`)

for await (const step of agio.convert({ quote, wallet })) {
  const name = step.kind === 'approve' ? step.purpose : step.kind
  console.log(name, step.status, step.transactionHash ?? '')
  if (step.kind === 'confirm' && step.status === 'done') console.log(`Paid ${step.receipt.amountIn} tEUR`)
}

function addressOf(symbol: string) {
  const token = tokens.find((token) => token.symbol === symbol)
  if (!token) throw new Error(`Cannot convert ${symbol}: the service has no such token`)
  return token.address
}

/** Claims test tokens, unless the account has claimed already. */
async function claimTokens() {
  try {
    const { to, data, gasLimit } = await agio.api.faucet.buildClaimAll.query({ chainId, userAddress: account.address })
    const hash = await wallet.sendTransaction({ to, data, gas: BigInt(gasLimit), chain: null })
    await wallet.waitForTransactionReceipt({ hash })
  } catch (error) {
    if (!isAgioError(error) || error.code !== 'svc/faucet-cooldown') throw error
  }
}
