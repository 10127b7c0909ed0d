import { expect, it } from 'vitest'
import { hideSecrets } from './hideSecrets.ts'

const secret = `agio_${'aB3-_'.repeat(8)}xyz`

it.each(['admin.keys.create', 'admin.keys.rotate', 'convert.quote'])(
  'a body of %s has no secret of a key in any position',
  (procedure) => {
    const body = JSON.stringify({ result: { data: { id: 'key_1', key: secret, note: `it is ${secret}` } } })
    const hidden = hideSecrets(procedure, body)
    expect(hidden).not.toContain(secret.slice(0, 17))
    expect(JSON.parse(hidden)).toEqual({ result: { data: { id: 'key_1', key: 'agio_…', note: 'it is agio_…' } } })
  },
)

it('a secret that is cut off is hidden too', () => {
  expect(hideSecrets('admin.keys.create', `{"key":"${secret.slice(0, 30)}`)).toBe('{"key":"agio_…"')
})

it('an issued secret of another form is hidden by the name of its field', () => {
  expect(hideSecrets('admin.keys.rotate', '{"key": "sk-1"}')).toBe('{"key": "agio_…"}')
})

it('the prefix of a key, which is public, stays', () => {
  const body = '{"keys":[{"id":"key_1","prefix":"agio_aB3-_x"}]}'
  expect(hideSecrets('admin.keys.list', body)).toBe(body)
})
