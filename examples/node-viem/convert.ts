import { createAgio } from '@agio/sdk'
import { localContracts, testAccounts } from '@agio/sdk/testing'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const [aud, usd] = ['0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', '0x5FbDB2315678afecb367f032d93F642f64180aa3'] as const
const account = privateKeyToAccount(testAccounts[2].privateKey)
const wallet = createWalletClient({ account, transport: http('http://127.0.0.1:8545') })

const agio = createAgio({ url: 'http://127.0.0.1:3000', apiKey: 'local-key', contracts: localContracts })
const quote = await agio.quote({ chainId: 84532, tokenIn: aud, tokenOut: usd, amountIn: '100' })
const receipt = await agio.convert({ quote, wallet })

console.log(`Paid ${receipt.amountIn} ${quote.tokenIn.symbol}, received ${receipt.amountOut} ${quote.tokenOut.symbol}`)
