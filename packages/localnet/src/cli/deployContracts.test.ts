import { parseSettings } from '@agio/server/cli'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { localAccounts } from '../accounts/localAccounts.ts'
import { getCredentials } from './contractOptions.ts'
import { formatPending, parseDeployOptions } from './deployContracts.ts'
import { deploySettings } from './deploySettings.ts'

const { address, privateKey } = localAccounts[0]

test('parseDeployOptions returns the chain, the value of each side, the accounts and the feeds', () => {
  expect(parseDeployOptions({ network: 'baseSepolia' })).toEqual({ chainId: 84532 })
  const options = {
    network: 'baseSepolia',
    dollarsPerSide: '5000',
    owner: address.toLowerCase(),
    guardian: address,
    sequencerFeed: address,
    referenceFeed: address,
  }
  const addresses = { owner: address, guardian: address, sequencerFeed: address, referenceFeed: address }
  expect(parseDeployOptions(options)).toEqual({ chainId: 84532, dollarsPerSide: 5000, ...addresses })
})

it.each([
  [{ network: 'mainnet' }, "'mainnet': the test networks are baseSepolia, arbitrumSepolia"],
  [{ dollarsPerSide: '0' }, "'0' is not a number of whole dollars"],
  [{ owner: '0x12' }, '--owner is not an address with a valid checksum'],
  [{ owner: `0x${'0'.repeat(40)}` }, '--owner is not an address'],
  [{ owner: address.replace('F', 'f') }, '--owner is not an address'],
  [{ guardian: '0x12' }, '--guardian is not an address with a valid checksum'],
  [{ sequencerFeed: '0x12' }, '--sequencer-feed is not an address with a valid checksum'],
])('error: parseDeployOptions rejects %j with one sentence', (options, message) => {
  expect(() => parseDeployOptions({ network: 'baseSepolia', ...options })).toThrow(message)
})

test('parseDeployOptions returns the tokens that exist, with their feeds or first prices and their deposits', () => {
  const [first, second] = [localAccounts[1].address, localAccounts[2].address]
  const options = {
    network: 'baseSepolia',
    referenceToken: address,
    token: [`${first},feed=${address}`, `${second},price=1.08`],
    deposit: [`${first}=20`, `${second}=1.5`],
    priceSource: 'owner',
  }
  expect(parseDeployOptions(options).existing).toEqual({
    referenceToken: address,
    tokens: [
      { address: first, feed: address, deposit: '20' },
      { address: second, price: '1.08', deposit: '1.5' },
    ],
  })
  for (const [change, message] of [
    [{ token: [] }, 'pass --reference-token and at least one --token'],
    [{ deposit: [] }, `pass --deposit ${first}=<amount>`],
    [{ priceSource: undefined }, `--token ${second} needs`],
  ] as const) {
    expect(() => parseDeployOptions({ ...options, ...change })).toThrow(message)
  }
})

test('the deployer key comes from DEPLOYER_KEY or from the file of DEPLOYER_KEY_FILE, and an error never quotes it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'agio-deployer-'))
  const file = join(folder.path, 'key')
  await writeFile(file, `${privateKey}\n`)
  const read = (environment: Record<string, string>) =>
    parseSettings(deploySettings, environment, 'deploy').texts['DEPLOYER_KEY']
  expect(read({ DEPLOYER_KEY: privateKey })).toBe(privateKey)
  expect(read({ DEPLOYER_KEY_FILE: file })).toBe(privateKey)
  expect(() => read({ DEPLOYER_KEY: privateKey, DEPLOYER_KEY_FILE: file })).toThrow(
    /^Cannot deploy: set either DEPLOYER_KEY or DEPLOYER_KEY_FILE, not both$/,
  )
  const short = () => read({ DEPLOYER_KEY: privateKey.slice(0, 60) })
  expect(short).toThrow(/^Cannot deploy: .*must be a private key: 0x and 64 hexadecimal digits.*DEPLOYER_KEY/s)
  expect(short).not.toThrow('ac0974')
})

test('getCredentials returns the first node and the key, or names every missing variable', () => {
  const texts = { RPC_URL_84532: 'http://127.0.0.1:8545, http://127.0.0.1:1', DEPLOYER_KEY: privateKey }
  expect(getCredentials(84532, texts)).toEqual({ rpcUrl: 'http://127.0.0.1:8545', deployerKey: privateKey })
  expect(() => getCredentials(421614, { RPC_URL_84532: 'http://127.0.0.1:8545', DEPLOYER_KEY: '' })).toThrow(
    'Cannot use chain 421614: set RPC_URL_421614 and DEPLOYER_KEY in the environment',
  )
})

test('formatPending lists the call by which the new owner accepts each contract', () => {
  expect(formatPending([], address)).toEqual([])
  const lines = formatPending([{ name: 'factory', address: localAccounts[1].address }], address).join('\n')
  expect(lines).toContain(`${address} does not own 1 contracts yet`)
  expect(lines).toMatch(new RegExp(`factory +${localAccounts[1].address} +acceptOwnership\\(\\) +0x79ba5097`))
})
