import { Network } from '@agio/core'
import { Contract, JsonRpcProvider, Transaction, toQuantity, Wallet } from 'ethers'
import { expect, inject, it, onTestFinished } from 'vitest'
import { partOf } from '../harness/partOf.ts'

type Json = Readonly<Record<string, unknown>>

type Token = { readonly symbol: string; readonly address: string }

/** A transaction as the service builds it; claims and approvals have no fees. */
type Unsigned = { readonly chainId: number; readonly to: string; readonly data: string; readonly gasLimit: string }

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, apiKey, chains } = target

it.each(partOf(Network.chainIds))('a client built with ethers and fetch converts on chain %i', async (chainId) => {
  const provider = new JsonRpcProvider(chains[chainId].rpcUrl)
  onTestFinished(() => provider.destroy())
  const wallet = Wallet.createRandom()
  const userAddress = wallet.address
  await provider.send('hardhat_setBalance', [userAddress, toQuantity(10n ** 18n)])
  const send = async (unsigned: unknown) => await broadcast(await sign(wallet, unsigned as Unsigned))

  const faucet = await get('/faucet/info', { chainId: String(chainId), userAddress })
  expect(faucet).toMatchObject({ user: { address: userAddress, canClaim: true } })
  const { tUSD: tokenIn = '', tEUR: tokenOut = '' } = bySymbol(faucet['tokens'] as Token[])
  expect(await send(await post('/faucet/build/claim-all', { chainId, userAddress }))).toMatchObject({
    status: 'success',
  })

  const amountIn = '250.25'
  const { pools } = (await get('/pools', { chainId: String(chainId) })) as {
    pools: { name: string; address: string }[]
  }
  const poolAddress = pools.find(({ name }) => name === 'tEUR/tUSD')?.address
  const preview = await post('/convert/preview', { chainId, poolAddress, tokenIn, tokenOut, amountIn })
  const { amountOut = '', recommendedMinAmountOut: minAmountOut } = preview as Record<string, string>

  const conversion = { chainId, userAddress, tokenIn, tokenOut, amountIn, minAmountOut }
  const { to: spenderAddress } = await post('/transaction/build/convert', conversion)
  const allowance = { chainId, tokenAddress: tokenIn, spenderAddress }
  const check = { ...allowance, ownerAddress: userAddress, requiredAmount: amountIn }
  expect(await post('/approval/check', check)).toMatchObject({ needsApproval: true, currentAllowance: '0.000000' })
  const { transaction } = await post('/approval/build', { ...allowance, amount: amountIn })
  expect(await send(transaction)).toMatchObject({ status: 'success' })
  expect(await post('/approval/check', check)).toMatchObject({ needsApproval: false, currentAllowance: '250.250000' })

  const built = await post('/transaction/build/convert', conversion)
  expect(built).toMatchObject({ to: spenderAddress, chainId, issues: [] })
  const signed = await sign(wallet, built as unknown as Unsigned)
  const sent = await broadcast(signed, { tokenIn, tokenOut, amountIn, expectedAmountOut: amountOut })
  expect(sent).toMatchObject({
    transactionHash: Transaction.from(signed).hash,
    status: 'success',
    convert: { amountIn, expectedAmountOut: amountOut, actualAmountOut: amountOut, slippage: '0.0000%' },
  })
  const { transactionHash, blockNumber, gasUsed } = sent
  const status = await post('/transaction/status', { chainId, transactionHash })
  expect(status).toMatchObject({ status: 'success', blockNumber, gasUsed, confirmations: expect.any(Number) })

  expect(await balanceOf(provider, tokenIn, userAddress)).toBe(749_750_000n)
  expect(await balanceOf(provider, tokenOut, userAddress)).toBe(1_000_000_000n + BigInt(amountOut.replace('.', '')))
})

function bySymbol(tokens: readonly Token[]): Readonly<Record<string, string>> {
  return Object.fromEntries(tokens.map(({ symbol, address }) => [symbol, address]))
}

async function balanceOf(provider: JsonRpcProvider, token: string, owner: string): Promise<bigint> {
  const contract = new Contract(token, ['function balanceOf(address) view returns (uint256)'], provider)
  return (await contract.getFunction('balanceOf')(owner)) as bigint
}

/** Signs as EIP-1559, with the nonce from the service, and with its own fees if the service returns none. */
async function sign(wallet: Pick<Wallet, 'address' | 'signTransaction'>, unsigned: Unsigned): Promise<string> {
  const { nonce } = await get(`/transaction/nonce/${wallet.address}`, { chainId: String(unsigned.chainId) })
  const { to, data, chainId, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = {
    maxFeePerGas: '3000000000',
    maxPriorityFeePerGas: '1000000',
    ...unsigned,
  }
  const fees = { type: 2, gasLimit, maxFeePerGas, maxPriorityFeePerGas }
  return await wallet.signTransaction({ ...fees, to, data, chainId, nonce: Number(nonce) })
}

async function broadcast(signedTransaction: string, conversion?: Json): Promise<Json> {
  const chainId = Number(Transaction.from(signedTransaction).chainId)
  const path = `/transaction/broadcast${conversion ? '/convert' : ''}`
  return await post(path, { chainId, signedTransaction, ...conversion })
}

async function post(path: string, body: Json): Promise<Json> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' }
  return await dataOf(await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function get(path: string, query: Readonly<Record<string, string>>): Promise<Json> {
  const search = new URLSearchParams(query).toString()
  return await dataOf(await fetch(`${url}/api/v1${path}?${search}`, { headers: { 'X-API-Key': apiKey } }))
}

async function dataOf(response: Response): Promise<Json> {
  const answer = (await response.json()) as { readonly success: boolean; readonly data: Json }
  expect(answer).toMatchObject({ success: true })
  expect(response.status).toBe(200)
  return answer.data
}
