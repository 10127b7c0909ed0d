// Claims 1,000 of each test token for the account of the other programs.
import { createAgio, isAgioError } from '@agio/sdk'
import { testAccounts } from '@agio/sdk/testing'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const agio = createAgio({ url: 'http://127.0.0.1:3000', apiKey: 'local-key' })
const account = privateKeyToAccount(testAccounts[2].privateKey)
const wallet = createWalletClient({ account, transport: http('http://127.0.0.1:8545') }).extend(publicActions)

try {
  const claim = await agio.api.faucet.buildClaimAll.query({ chainId: 84532, userAddress: account.address })
  const hash = await wallet.sendTransaction({
    to: claim.to,
    data: claim.data,
    gas: BigInt(claim.gasLimit),
    chain: null,
  })
  await wallet.waitForTransactionReceipt({ hash })
  console.log(`${account.address} holds test tokens now`)
} catch (error) {
  if (!isAgioError(error) || error.code !== 'svc/faucet-cooldown') throw error
  console.log(`${account.address} has claimed already, and can again at ${error.details.nextClaimAt}`)
}
