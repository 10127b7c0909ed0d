import { expect, it } from 'vitest'
import { signAsymmetrically } from './asymmetricKey.ts'

it('a message is signed like in the test of the reference implementation in Go', () => {
  const seed = Buffer.from('TESTSIGNINGKEYDONOTUSETHISFORANY').toString('base64')
  const text = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}'
  expect(signAsymmetrically(`whsk_${seed}`, text)).toBe(
    'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
  )
})
