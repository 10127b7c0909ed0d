import { expect, it } from 'vitest'
import { explainConnectError } from './explainConnectError.ts'

it.each([
  [4001, 'Rejected in wallet'],
  [-32_002, 'The wallet has an open request'],
  [4902, 'The wallet does not know this network'],
  [4901, 'The wallet cannot reach its node'],
])('a wallet that returns %s is explained, also inside the error of a library', (code, title) => {
  expect(explainConnectError({ code })).toMatchObject({ title })
  expect(explainConnectError(new Error('Cannot connect', { cause: { code } }))).toMatchObject({ title })
})

it('any other error is shown by its first line', () => {
  expect(explainConnectError(new Error('Locked\nat …'))).toMatchObject({ next: 'Locked' })
})
