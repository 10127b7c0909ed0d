// Examples of tests with Hardhat over the contracts of a local chain. docs/develop/hardhat.md explains them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { network } from 'hardhat'
import type { JsonRpcServer, NetworkConnection } from 'hardhat/types/network'
import { parseUnits } from 'viem'

const hour = 3600
const hundred = parseUnits('100', 6)

/** Connects to a network, and gives its second account tokens of the faucet. */
async function connect(connecting: Promise<NetworkConnection>) {
  const { agio, viem, close } = await connecting
  const [, user] = await viem.getWalletClients()
  if (!user) throw new Error('The network has no second account')
  const { tAUD, tEUR, tUSD } = agio.tokens
  const { router, faucet = tUSD } = agio.deployment
  const client = await viem.getPublicClient()
  const token = (address: `0x${string}`) => ({ address, abi: agio.abis.token }) as const
  const balanceOf = async (address: `0x${string}`) =>
    await client.readContract({ ...token(address), functionName: 'balanceOf', args: [user.account.address] })
  await user.writeContract({ address: faucet, abi: agio.abis.faucet, functionName: 'claimAll' })
  const { timestamp } = await client.getBlock()
  return {
    agio,
    viem,
    close,
    user,
    client,
    token,
    balanceOf,
    faucet,
    tAUD,
    tEUR,
    tUSD,
    router: { address: router, abi: agio.abis.router } as const,
    deadline: timestamp + 86_400n,
  }
}

type Connected = Awaited<ReturnType<typeof connect>>

let origin: JsonRpcServer
let originUrl: string

before(async () => {
  origin = await network.createServer('local84532', '127.0.0.1')
  originUrl = `http://127.0.0.1:${(await origin.listen()).port}`
})

after(() => origin.close())

/** Forks the chain of `before` at its newest block. A fork of a public network needs no block number. */
async function createFork(): Promise<NetworkConnection> {
  const latest = await fetch(originUrl, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  })
  const { result } = (await latest.json()) as { readonly result: string }
  const forking = { url: originUrl, blockNumber: Number(result) }
  return await network.create({ network: 'fork84532', override: { forking } })
}

const networks = {
  'the local chain 84532': () => network.create('local84532'),
  'the local chain 421614': () => network.create('local421614'),
  'a fork': createFork,
}

for (const [name, create] of Object.entries(networks)) {
  describe(`on ${name}`, () => {
    let chain: Connected

    before(async () => {
      chain = await connect(create())
    })

    after(() => chain.close())

    it('a swap through two pools pays what the router views', async () => {
      const { client, user, router, token, tAUD, tEUR, tUSD, balanceOf, deadline } = chain
      const args = [tUSD, tAUD, tEUR, hundred] as const
      const view = await client.readContract({ ...router, functionName: 'viewOriginSwap', args })
      const before = await balanceOf(tEUR)
      await user.writeContract({ ...token(tAUD), functionName: 'approve', args: [router.address, hundred] })
      await user.writeContract({ ...router, functionName: 'originSwap', args: [...args, view, deadline] })
      assert.equal((await balanceOf(tEUR)) - before, view)
    })

    it('a swap with an exact output pays it, for the input that the router views', async () => {
      const { client, user, router, token, tAUD, tUSD, balanceOf, deadline } = chain
      const view = { ...router, functionName: 'viewTargetSwap', args: [tUSD, tUSD, tAUD, hundred] } as const
      const input = await client.readContract(view)
      const before = [await balanceOf(tUSD), await balanceOf(tAUD)] as const
      await user.writeContract({ ...token(tUSD), functionName: 'approve', args: [router.address, input] })
      const swap = [tUSD, tUSD, tAUD, input, hundred, deadline] as const
      await user.writeContract({ ...router, functionName: 'targetSwap', args: swap })
      assert.equal(before[0] - (await balanceOf(tUSD)), input)
      assert.equal((await balanceOf(tAUD)) - before[1], hundred)
    })

    it('a permit pays a swap without an approval', async () => {
      const { client, user, router, token, tAUD, tUSD, balanceOf, deadline } = chain
      const { address } = user.account
      const nonce = await client.readContract({ ...token(tAUD), functionName: 'nonces', args: [address] })
      const name = await client.readContract({ ...token(tAUD), functionName: 'name' })
      const signature = await user.signTypedData({
        domain: { name, version: '1', chainId: await client.getChainId(), verifyingContract: tAUD },
        types: { Permit: ['owner', 'spender'].map(toAddressField).concat(['value', 'nonce', 'deadline'].map(toField)) },
        primaryType: 'Permit',
        message: { owner: address, spender: router.address, value: hundred, nonce, deadline },
      })
      const swap = { quote: tUSD, origin: tAUD, target: tUSD, originAmount: hundred, minTargetAmount: 1n }
      const permit = { amount: hundred, deadline, signature }
      const before = await balanceOf(tAUD)
      const args = [{ ...swap, recipient: address, deadline }, permit] as const
      await user.writeContract({ ...router, functionName: 'originSwapWithPermit', args })
      assert.equal(before - (await balanceOf(tAUD)), hundred)
    })

    it('the faucet refuses a second claim in a day', async () => {
      const { agio, client, faucet, user } = chain
      const claim = { address: faucet, abi: agio.abis.faucet, functionName: 'claimAll', account: user.account } as const
      await assert.rejects(client.simulateContract(claim), /CooldownActive/)
    })

    it('a swap above the limit of the pool is refused', async () => {
      const { agio, client, tAUD, tUSD } = chain
      const pool = { address: agio.pools['tAUD/tUSD'], abi: agio.abis.pool } as const
      const limit = await client.readContract({ ...pool, functionName: 'maxOrigin', args: [tAUD, tUSD] })
      const view = { ...pool, functionName: 'viewOriginSwap' } as const
      assert.ok(await client.readContract({ ...view, args: [tAUD, tUSD, limit] }))
      await assert.rejects(client.readContract({ ...view, args: [tAUD, tUSD, limit + 1n] }), /AboveMaxOrigin/)
    })

    it('a price is stale after an hour, until the owner of its oracle pushes it again', async () => {
      const { agio, client, viem, tAUD, tUSD } = chain
      const test = await viem.getTestClient()
      const id = await test.snapshot()
      await test.increaseTime({ seconds: hour + 1 })
      await test.mine({ blocks: 1 })
      const pool = { address: agio.pools['tAUD/tUSD'], abi: agio.abis.pool } as const
      const view = { ...pool, functionName: 'viewOriginSwap', args: [tAUD, tUSD, hundred] } as const
      await assert.rejects(client.readContract(view), /StalePrice/)
      const [owner] = await viem.getWalletClients()
      const push = { address: agio.oracles.tAUD, abi: agio.abis.oracle, functionName: 'updateAnswer' } as const
      await owner?.writeContract({ ...push, args: [65_120_000n] })
      assert.ok(await client.readContract(view))
      await test.revert({ id })
    })
  })
}

it('the fork of a local chain has its deployment, and a contract deploys beside it', async () => {
  const { agio, close } = await createFork()
  const { agio: local, viem } = await network.create('local84532')
  const client = await viem.getPublicClient()
  assert.deepEqual(agio.deployment, local.deployment)
  const { address } = await viem.deployContract('PlainToken', ['Own token', 'OWN', 6, local.deployment.router])
  assert.equal(await client.readContract({ address, abi: agio.abis.token, functionName: 'symbol' }), 'OWN')
  await close()
})

function toAddressField(name: string) {
  return { name, type: 'address' }
}

function toField(name: string) {
  return { name, type: 'uint256' }
}
