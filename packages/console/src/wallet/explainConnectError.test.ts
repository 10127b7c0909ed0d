import { expect, it } from 'vitest'
import { explainConnectError } from './explainConnectError.ts'

it.each([
  [4001, 'You refused in the wallet'],
  [-32_002, 'The wallet asks already'],
  [4902, 'The wallet does not know this network'],
  [4901, 'The wallet does not reach its node'],
])('a wallet that returns %s is explained, also where a library wraps its error', (code, title) => {
  expect(explainConnectError({ code })).toMatchObject({ title })
  expect(explainConnectError(new Error('Cannot connect', { cause: { code } }))).toMatchObject({ title })
})

it('any other error is shown by its first line', () => {
  expect(explainConnectError(new Error('Locked\nat …'))).toMatchObject({ next: 'Locked' })
})
