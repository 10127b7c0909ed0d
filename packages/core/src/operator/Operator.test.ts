import { describe, expect, it } from 'vitest'
import * as Operator from './Operator.ts'

const [first, second, third] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string]

const ada = { name: 'ada', roles: ['read', 'keys'], digests: [first, second] } as const
const bo = { name: 'bo.2', roles: ['quotes'], digests: [third] } as const

it('operators are parsed from their lines, and formatted as the same lines', () => {
  const text = [ada, bo].map(Operator.format).join('\n')
  expect(text).toBe(`ada:read+keys:${first},${second}\nbo.2:quotes:${third}`)
  expect(Operator.parseLines(text)).toEqual([ada, bo])
})

it('lines may end as on Windows, be indented, be empty, be comments, and have digests in upper case', () => {
  const text = `# operators\r\n\r\n  ada:keys+read:${first.toUpperCase()},${second}  \r\nbo.2:quotes:${third}\r\n`
  expect(Operator.parseLines(text)).toEqual([ada, bo])
})

it('a text without lines has no operators', () => {
  expect(Operator.parseLines('\n')).toEqual([])
})

describe('error: a bad line is named and never quoted', () => {
  const secret = 'S3CRET-of-an-operator'
  it.each([
    ['a fourth part', `ada:read:${first}:${secret}`, 'write name:roles:sha256'],
    ['a secret in place of its digest', `ada:read:${secret}`, 'the digests must be'],
    ['three digests', `ada:read:${first},${second},${third}`, 'the digests must be'],
    ['an unknown role', `ada:read+write:${first}`, 'the roles must be'],
    ['a repeated role', `ada:read+read:${first}`, 'the roles must be'],
    ['a name with a space', `a da:read:${first}`, 'the name must'],
    ['a name that is taken', `bo:quotes:${first}`, 'the name is already in line 1'],
    ['a digest of another operator', `ada:quotes:${third}`, 'the same digest is already in line 1'],
    ['the same digest twice', `ada:quotes:${first},${first}`, 'the same digest is already in line 2'],
  ])('%s', (_, line, reason) => {
    const parse = () => Operator.parseLines(`bo:read:${third}\n${line}`)
    expect(parse).toThrow(`line 2: ${reason}`)
    expect(parse).not.toThrow(secret)
  })
})
