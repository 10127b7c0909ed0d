import { Network } from '@agio/core'
import { Contract, Interface, JsonRpcProvider, parseUnits, toQuantity, Wallet } from 'ethers'
import { expect, inject, it, onTestFinished } from 'vitest'
import { expectSum } from '../harness/expectSum.ts'
import { partOf } from '../harness/partOf.ts'

type Json = Readonly<Record<string, unknown>>

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, apiKey, chains } = target

const erc20 = [
  'function balanceOf(address) view returns (uint256)',
  'function approve(address, uint256) returns (bool)',
]

it.each(partOf(Network.chainIds))(
  'a web page built with ethers quotes, builds, sends by a wallet that hands out no signature, and reads receipts on chain %i',
  async (chainId) => {
    const { provider, wallet, balanceOf } = await connect(chainId)
    const { tUSD, tAUD, tEUR } = chains[chainId].tokens
    const send = async (transaction: unknown) => {
      const hash = (await provider.send('eth_sendTransaction', [transaction])) as string
      expect(await provider.waitForTransaction(hash)).toMatchObject({ status: 1, from: wallet })
      return hash
    }
    const faucet = await post('/faucet/build/claim-all', { chainId, userAddress: wallet })
    await send({ from: wallet, to: faucet['to'], data: faucet['data'] })

    for (const amount of [{ amountIn: '100.5' }, { amountOut: '50.25' }]) {
      for (const [tokenIn, tokenOut] of [
        [tAUD, tUSD],
        [tUSD, tEUR],
        [tEUR, tAUD],
      ] as const) {
        const quoted = await post('/convert/quote', { chainId, tokenIn, tokenOut, ...amount })
        const { quote, amountIn, amountOut, spender, maxAmountIn = amountIn } = quoted as Record<string, string>
        const approved = parseUnits(maxAmountIn ?? '', 6)
        const data = new Interface(erc20).encodeFunctionData('approve', [spender, approved])
        await send({ from: wallet, to: tokenIn, data })

        const before = [await balanceOf(tokenIn), await balanceOf(tokenOut)] as const
        const built = await post('/transaction/build/convert', { quote, userAddress: wallet })
        expect(built).toMatchObject({ chainId, to: spender, issues: [] })
        const transactionHash = await send(built['transaction'])
        const after = [await balanceOf(tokenIn), await balanceOf(tokenOut)]
        expect(after).toEqual([before[0] - parseUnits(amountIn ?? '', 6), before[1] + parseUnits(amountOut ?? '', 6)])

        const receipt = await post('/convert/receipt', { transactionHash, quote })
        expect(receipt).toMatchObject({ status: 'success', payer: wallet, amountOut, quoted: { amountIn, amountOut } })
        expectSum(receipt)
      }
    }
  },
)

/** An account of the node that holds native currency: the node signs for it, and returns hashes only. */
async function connect(chainId: Network.ChainId) {
  const provider = new JsonRpcProvider(chains[chainId].rpcUrl, chainId, { staticNetwork: true, polling: true })
  provider.pollingInterval = 50
  onTestFinished(() => provider.destroy())
  const { address: wallet } = Wallet.createRandom()
  await provider.send('hardhat_setBalance', [wallet, toQuantity(10n ** 18n)])
  await provider.send('hardhat_impersonateAccount', [wallet])
  const balanceOf = async (token: string) =>
    (await new Contract(token, erc20, provider).getFunction('balanceOf')(wallet)) as bigint
  return { provider, wallet, balanceOf }
}

async function post(path: string, body: Json): Promise<Json> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as { readonly success: boolean; readonly data: Json; readonly error?: string }
  expect(answer.error, path).toBeUndefined()
  return answer.data
}
