import { expect, it } from 'vitest'
import { listLogsOf } from './listLogsOf.ts'

const [pool, other] = [
  '0x9A676e781A523b5d0C0e43731313A708CB607508',
  '0x5FbDB2315678afecb367f032d93F642f64180aa3',
] as const
const log = { topics: [], data: '0x', logIndex: 7 } as const

it('the logs of a contract have its checksum address, in whichever case the node writes it', () => {
  const lowerCase = pool.toLowerCase() as typeof pool
  const upperCase = `0x${pool.slice(2).toUpperCase()}` as typeof pool
  const logs = [pool, lowerCase, upperCase].map((address) => ({ ...log, address }))
  expect(listLogsOf([other, pool], logs)).toEqual([1, 2, 3].map(() => ({ ...log, address: pool })))
})

it('the logs of other contracts are not listed', () => {
  expect(listLogsOf([pool], [{ ...log, address: other }])).toEqual([])
})
