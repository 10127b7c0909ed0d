import { expect, it } from 'vitest'
import { createSecret, isMistyped, prefixOf } from './secrets.ts'

it('a secret has its kind, eight visible characters, 256 random bits and a checksum', () => {
  const secrets = Array.from({ length: 200 }, () => createSecret('secret'))
  for (const secret of secrets) {
    expect(secret).toMatch(/^agio_sk_[0-9A-Za-z]{57}$/)
    expect(isMistyped(secret)).toBe(false)
    expect(prefixOf(secret)).toBe(secret.slice(0, 16))
  }
  expect(new Set(secrets).size).toBe(200)
  expect(62n ** 43n > 2n ** 256n, 'the hidden digits have 256 bits').toBe(true)
  expect(createSecret('publishable')).toMatch(/^agio_pk_[0-9A-Za-z]{57}$/)
})

it('every changed, missing or added character of a secret is noticed', () => {
  const secret = createSecret('secret')
  for (let index = 'agio_sk_'.length; index < secret.length; index += 1) {
    const other = secret[index] === 'x' ? 'y' : 'x'
    expect(isMistyped(`${secret.slice(0, index)}${other}${secret.slice(index + 1)}`), `character ${index}`).toBe(true)
  }
  for (const text of [
    secret.slice(0, -1),
    `${secret} `,
    secret.replace('sk', 'pk'),
    secret.toUpperCase().replace('AGIO_SK', 'agio_sk'),
  ])
    expect(isMistyped(text), text).toBe(true)
})

it('a known secret has the checksum that scanners compute: CRC-32 in base 62', () => {
  expect(isMistyped('agio_sk_4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0KqDzI8uQ2wYb1L4XWQFR')).toBe(false)
})

it('a text in another form is not mistyped, because an older or given secret may be any text', () => {
  for (const text of ['', 'local-key', `agio_${'A'.repeat(43)}`, `agio_sk_${'A'.repeat(40)}`, 'agio_xk_short'])
    expect(isMistyped(text), text).toBe(false)
  expect(prefixOf(`agio_${'A'.repeat(43)}`)).toBe('agio_AAAAAA')
})
