import { getAddress, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { listForeign, parseDeployment } from './Deployment.ts'

const file = {
  chainId: 84532,
  router: '0x8a791620dd6260079bf849dc5567adc3f2fdc318',
  pools: ['0x9a676e781a523b5d0c0e43731313a708cb607508'],
  referenceToken: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
}

it('parseDeployment returns checksum addresses, and needs no faucet', () => {
  expect(parseDeployment(file, '84532.json')).toEqual({
    chainId: 84532,
    router: '0x8A791620dd6260079BF849Dc5567aDC3F2FdC318',
    pools: ['0x9A676e781A523b5d0C0e43731313A708CB607508'],
    referenceToken: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  })
})

it('parseDeployment returns the maximum age, the hours and the heartbeat of each feed by its checksum address', () => {
  const aged = { maxAgeSeconds: 90_000 }
  const feed = { heartbeatSeconds: 86_400, schedule: 'America/New_York;O,O,O,O,0000-1700,C,1700-2400;1225/C' }
  const feeds = { [file.referenceToken]: aged, [file.router]: feed }
  expect(parseDeployment({ ...file, feeds }, '84532.json').feeds).toEqual({
    '0x5FbDB2315678afecb367f032d93F642f64180aa3': aged,
    '0x8A791620dd6260079BF849Dc5567aDC3F2FdC318': feed,
  })
})

it('parseDeployment returns the factory, and the code hash of each contract by its checksum address', () => {
  const hash = `0x${'aB'.repeat(32)}`
  const { factory, codeHashes } = parseDeployment(
    { ...file, factory: file.router, codeHashes: { [file.router]: hash } },
    '84532.json',
  )
  expect(factory).toBe('0x8A791620dd6260079BF849Dc5567aDC3F2FdC318')
  expect(codeHashes).toEqual({ '0x8A791620dd6260079BF849Dc5567aDC3F2FdC318': hash.toLowerCase() })
})

it.each([
  ['codeHashes', { codeHashes: { '0x12': `0x${'ab'.repeat(32)}` } }],
  ['codeHashes', { codeHashes: { [file.router]: '0x12' } }],
  ['router', { router: '0x12' }],
  ['chainId', { chainId: 1 }],
  ['pools', { pools: [] }],
  ['feeCollector', { feeCollector: file.router }],
  ['feeds', { feeds: [] }],
  ['feeds', { feeds: { '0x12': { maxAgeSeconds: 60 } } }],
  ['feeds', { feeds: { [file.router]: 90_000 } }],
  ['maxAgeSeconds', { feeds: { [file.router]: { maxAgeSeconds: '90000' } } }],
  ['maxAgeSeconds', { feeds: { [file.router]: { maxAgeSeconds: 0 } } }],
  ['maxAgeSeconds', { feeds: { [file.router]: { maxAgeSeconds: 0.5 } } }],
  ['maxAgeSeconds', { feeds: { [file.router]: { maxAgeSeconds: 604_801 } } }],
  ['heartbeat', { feeds: { [file.router]: { maxAgeSeconds: 60, heartbeat: 60 } } }],
  ['heartbeatSeconds', { feeds: { [file.router]: { heartbeatSeconds: 0 } } }],
  ['its week has 6 days', { feeds: { [file.router]: { schedule: 'UTC;O,O,O,O,O,O' } } }],
])('parseDeployment: the error names the file and the invalid field (%s)', (field, change) => {
  const parse = () => parseDeployment({ ...file, ...change }, 'deployments/84532.json')
  expect(parse).toThrow(/deployments\/84532\.json/)
  expect(parse).toThrow(field)
})

it('listForeign returns the router, the reader and the pools that have no code hash', () => {
  const [router, pool, reader, foreign] = ['a1', 'a2', 'a3', 'a4'].map((end) => `0x${end.padStart(40, '0')}` as const)
  const addresses = { ...file, router, reader, pools: [pool, foreign] }
  const codeHashes = { [`${router}`]: zeroHash, [`${pool}`]: zeroHash, [`${reader}`]: zeroHash }
  expect(listForeign(parseDeployment({ ...addresses, codeHashes }, '84532.json'))).toEqual([getAddress(`${foreign}`)])
  expect(listForeign(parseDeployment(addresses, '84532.json'))).toEqual(
    [router, reader, pool, foreign].map((address) => getAddress(`${address}`)),
  )
})
