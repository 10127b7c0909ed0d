import { zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createAgio } from '../../packages/sdk/src/index.ts'
import { createTestWallet, fund } from '../../packages/sdk/src/testing.ts'
import { pushPrices } from '@agio/localnet'
import { findFreePort } from '../harness/findFreePort.ts'
import { readBalance } from '../harness/readBalance.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { setUp } from '../harness/setUp.ts'

const chainId = 84532
const ether = 10n ** 18n

const stack = setUp(startAgio)

const newAddress = () => privateKeyToAddress(generatePrivateKey())
const options = () => ({ url: stack.url, adminKey })
const chain = () => stack.localnet.chains[chainId]
const readEther = (address: `0x${string}`) => connectOwner(chain()).client.getBalance({ address })
const reasonOf = (funding: Promise<void>) =>
  funding.then(
    () => 'funded',
    (error: unknown) => String(error),
  )

describe('fund', () => {
  it('adds tokens to an account and gas money, so that it converts at once', async () => {
    const agio = createAgio({ url: stack.url, apiKey, contracts: 'service' })
    const rpcUrls = { [chainId]: chain().rpcUrl }
    const wallet = createTestWallet({ privateKey: generatePrivateKey(), chainId, rpcUrls })
    await fund(wallet.address, { tAUD: '1000', tEUR: '0.5' }, options())
    const { tAUD, tEUR, tUSD } = chain().tokens
    expect(await readBalance(chain(), tEUR, wallet.address)).toBe(500_000n)
    expect(await readEther(wallet.address)).toBe(ether)
    const quote = await agio.quote({ chainId, tokenIn: tAUD, tokenOut: tUSD, amountIn: '1000' })
    expect(await agio.convert({ quote, wallet })).toMatchObject({ status: 'success', amountIn: '1000.000000' })
  })

  it('adds the native currency that it is given, and no gas money then', async () => {
    const address = newAddress()
    // Letters of one case have no checksum.
    await fund(address.toLowerCase() as typeof address, { tUSD: '1', ETH: '0' }, options())
    expect(await readEther(address)).toBe(0n)
    await fund(address, { ETH: '0.25' }, options())
    await fund(address, { ETH: '0.25' }, options())
    expect(await readEther(address)).toBe(ether / 2n)
    await fund(address, {}, options())
    expect(await readEther(address)).toBe(ether)
  })

  it('funds accounts at the same time, also while the keeper pushes prices', async () => {
    const addresses = Array.from({ length: 5 }, newAddress)
    await Promise.all([
      ...addresses.map((address) => fund(address, { tAUD: '2' }, options())),
      pushPrices(chain()),
      pushPrices(chain()),
    ])
    for (const address of addresses) expect(await readBalance(chain(), chain().tokens.tAUD, address)).toBe(2_000_000n)
  })

  it('funds on the chain that it is given', async () => {
    const address = newAddress()
    await fund(address, { tAUD: '3' }, { ...options(), chainId: 421614 })
    const other = stack.localnet.chains[421614]
    expect(await readBalance(other, other.tokens.tAUD, address)).toBe(3_000_000n)
    expect(await readBalance(chain(), chain().tokens.tAUD, address)).toBe(0n)
  })

  it.each([
    [
      'an unknown token',
      { tXYZ: '1' },
      /Cannot fund 0x\w+: svc\/invalid-request: Cannot fund with tXYZ: the tokens of .* ETH$/,
    ],
    ['an amount that is not a decimal', { tAUD: '1e3' }, /tAUD "1e3": it is not a plain decimal number/],
    ['more decimals than the token has', { tAUD: '0.0000001' }, /tAUD "0.0000001": the token has 6 decimals/],
    ['a number', { tAUD: 5 }, /tAUD: it is not a string/],
  ])('error: for %s, and nothing is added', async (_, amounts, reason) => {
    const address = newAddress()
    expect(await reasonOf(fund(address, { tUSD: '1', ...amounts } as Record<string, string>, options()))).toMatch(
      reason,
    )
    expect(await readBalance(chain(), chain().tokens.tUSD, address)).toBe(0n)
    expect(await readEther(address)).toBe(0n)
  })

  it.each([
    ['0x12', 'it is not an address'],
    ['0x5fbDB2315678afecb367f032d93F642f64180aa3', 'its checksum (EIP-55) is wrong'],
    [zeroAddress, 'it is the zero address'],
  ] as const)('error: for the address %s: %s', async (address, flaw) => {
    expect(await reasonOf(fund(address, { tAUD: '1' }, options()))).toContain(`Cannot use address: ${flaw}`)
  })

  it('error: for another admin key, or a server that is not a local stack', async () => {
    const address = newAddress()
    expect(await reasonOf(fund(address, {}, { ...options(), adminKey: 'wrong' }))).toMatch(/the admin key is wrong/)
    const url = `http://127.0.0.1:${await findFreePort()}`
    expect(await reasonOf(fund(address, {}, { url }))).toContain(
      `Cannot fund ${address}: no local stack responds at ${url}. Start one with pnpm start`,
    )
    expect(await reasonOf(fund(address, {}, { url: chain().rpcUrl }))).toMatch(/is not a local stack/)
  })

  it('error: while mining is stopped, and says how to resume it', async () => {
    await stack.scenarios.run('no-mining', { chainId })
    expect(await reasonOf(fund(newAddress(), { tAUD: '1' }, options()))).toMatch(
      /mining is stopped\. Run the scenario mine/,
    )
    await stack.scenarios.reset()
  })
})
