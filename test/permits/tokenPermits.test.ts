import type { Address } from '@agio/core'
import { concatHex, getAddress, numberToHex, toHex, zeroAddress, zeroHash, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { setUp } from '../harness/setUp.ts'
import { startPermitStack } from './startPermitStack.ts'

const stack = setUp(startPermitStack)
const getPermits = (token: Address) => stack.chain.permits.getTokenPermits(token)

const [chainId, salt] = [84532, numberToHex(84532, { size: 32 })]
// From the lowest bit: name, version, chain id, contract, salt.
const [nameBit, versionBit, chainBit, contractBit, saltBit] = [1, 2, 4, 8, 16]
const usual = nameBit + versionBit + chainBit + contractBit

describe('the domain of a token that reports it', () => {
  it.each([
    ['all usual fields', usual, { name: 'Dollar', version: '7', chainId }],
    ['a salt too', usual + saltBit, { name: 'Dollar', version: '7', chainId, salt }],
    ['no version', usual - versionBit, { name: 'Dollar', chainId }],
    ['no chain id', usual - chainBit, { name: 'Dollar', version: '7' }],
    ['only the contract', contractBit, {}],
  ])('the domain of a token that reports one with %s has exactly these fields', async (_, fields, expected) => {
    const token = await deployDomain({ fields, version: '7', reports: true })
    expect(await getPermits(token)).toEqual({ domain: { ...expected, verifyingContract: token } })
  })

  it.each([
    ['without the contract', { fields: usual - contractBit }],
    ['of another contract', { verifyingContract: getAddress('0x00000000000000000000000000000000000a610a') }],
    ['of another network', { chainId: 1 }],
    ['of a network with a huge id', { chainId: 2n ** 256n - 1n }],
    ['with a name too long to read', { name: 'x'.repeat(201) }],
    ['with an unknown field', { fields: usual + 32 }],
  ])('a token that reports a domain %s has no permits', async (_, changes) => {
    const token = await deployDomain({ version: '7', reports: true, ...changes })
    expect(await getPermits(token)).toEqual({ domain: undefined })
  })
})

describe('the domain of a token that does not report it', () => {
  it.each([
    ['its name and version', usual, { version: '3', hasVersion: true }, { version: '3', chainId }],
    ['its name and version 1', usual, { version: '1' }, { version: '1', chainId }],
    ['an empty version', usual, { version: '', hasVersion: true }, { version: '', chainId }],
    ['a salt for the chain id', usual - chainBit + saltBit, { version: '1' }, { version: '1', salt }],
    ['a salt and no version', usual - versionBit - chainBit + saltBit, {}, { salt }],
    ['no chain', nameBit + versionBit + contractBit, { version: '1' }, { version: '1' }],
  ])('the domain of a token is found by %s, which its hash proves', async (_, fields, changes, expected) => {
    const token = await deployDomain({ fields, ...changes })
    const domain = { name: 'Dollar', ...expected, verifyingContract: token }
    expect(await getPermits(token)).toEqual({ domain })
  })

  it.each([
    ['a version that it does not return', { version: '9' }],
    [
      'the salt of another network',
      { fields: usual - chainBit + saltBit, version: '1', salt: numberToHex(1, { size: 32 }) },
    ],
    ['a hash that no domain has', { version: '1', isWrong: true }],
    ['a hash that the reported domain has not', { reports: true, isWrong: true }],
  ])('a token with %s has no permits', async (_, changes) => {
    const token = await deployDomain({ version: '1', ...changes })
    expect(await getPermits(token)).toEqual({ domain: undefined })
  })
})

describe('the tokens of the local chains', () => {
  it('tAUD has EIP-2612; tUSD and tEUR have none', async () => {
    const { tAUD, tUSD, tEUR } = stack.local.tokens
    const domain = { name: 'Test Australian Dollar', version: '1', chainId, verifyingContract: tAUD }
    expect(await getPermits(tAUD)).toEqual({ domain })
    expect(await getPermits(tUSD)).toEqual({ domain: undefined })
    expect(await getPermits(tEUR)).toEqual({ domain: undefined })
  })
})

describe('a token of another kind', () => {
  it('a token with the permits of USDC has them', async () => {
    const token = await stack.owner.deploy('testing/BytesPermitToken', ['USD Coin', 'USDC', 6, stack.owner.address])
    const domain = { name: 'USD Coin', version: '2', chainId, verifyingContract: token }
    expect(await getPermits(token)).toEqual({ domain })
  })

  it('a token behind a proxy has its permits, with the domain of the proxy', async () => {
    const proxy = await place(
      concatHex(['0x363d3d373d3d3d363d73', stack.local.tokens.tAUD, '0x5af43d82803e903d91602b57fd5bf3']),
    )
    const domain = { name: 'Test Australian Dollar', version: '1', chainId, verifyingContract: proxy }
    expect(await getPermits(proxy)).toEqual({ domain })
  })

  it('a token with the permits of DAI has none by EIP-2612, although its domain is proven', async () => {
    const token = await stack.owner.deploy('testing/DaiToken', [])
    expect(await getPermits(token)).toEqual({ domain: undefined })
  })

  it.each<[string, Hex]>([
    ['has no code', '0x'],
    ['accepts any call and returns nothing, as WETH does', '0x00'],
    ['returns its calldata', '0x366000600037366000f3'],
    ['reverts without a reason', '0x60006000fd'],
    ['reverts with a megabyte', '0x620fffff6000fd'],
    ['returns a megabyte for any call', '0x620fffff6000f3'],
    ['uses up all gas', '0xfe'],
  ])('an account that %s has no permits, and reading it does not fail', async (_, code) => {
    expect(await getPermits(await place(code))).toEqual({ domain: undefined })
  })
})

/** Deploys a token with the usual fields in its domain, unless `changes` has others. */
async function deployDomain(changes: Readonly<Record<string, unknown>>): Promise<Address> {
  const domain = {
    fields: usual,
    name: 'Dollar',
    version: '',
    chainId,
    verifyingContract: zeroAddress,
    salt: 'fields' in changes && (Number(changes['fields']) & saltBit) !== 0 ? salt : zeroHash,
    reports: false,
    hasVersion: false,
    isWrong: false,
    ...changes,
  }
  return await stack.owner.deploy('testing/DomainToken', [domain])
}

/** Places code at a new address. */
async function place(bytecode: Hex): Promise<Address> {
  const address = getAddress(toHex(crypto.getRandomValues(new Uint8Array(20))))
  await stack.owner.client.setCode({ address, bytecode })
  return address
}
