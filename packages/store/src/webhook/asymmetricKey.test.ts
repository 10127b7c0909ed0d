import { expect, it } from 'vitest'
import { signAsymmetrically, toPublicKey } from './asymmetricKey.ts'

it('a message is signed like in the test of the reference implementation in Go', () => {
  const seed = Buffer.from('TESTSIGNINGKEYDONOTUSETHISFORANY').toString('base64')
  const text = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}'
  expect(signAsymmetrically(`whsk_${seed}`, text)).toBe(
    'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
  )
})

it('the public key of a private key is the one of RFC 8032', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  const key = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex')
  expect(toPublicKey(`whsk_${seed.toString('base64')}`)).toBe(`whpk_${key.toString('base64')}`)
})
