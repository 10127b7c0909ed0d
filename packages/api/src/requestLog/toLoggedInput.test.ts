import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createLocalTools } from '../mcp/tools/localTools.ts'
import { conversionTools } from '../mcp/tools/conversionTools.ts'
import { marketTools } from '../mcp/tools/marketTools.ts'
import { transactionTools } from '../mcp/tools/transactionTools.ts'
import { loggedFields, redactedFields, toLoggedInput } from './toLoggedInput.ts'

type Schema = {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly properties?: Readonly<Record<string, Schema>>
} & Readonly<Record<string, unknown>>

const document = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Lists the names of all fields of all requests of openapi.json. */
function listRequestFields(): readonly string[] {
  const names = new Set<string>()
  const visited = new Set<string>()
  function visit(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    const { $ref, name, in: place, properties = {}, ...rest } = value as Schema
    if (place === 'header') return
    if ($ref !== undefined && !visited.has($ref)) {
      visited.add($ref)
      visit(document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)])
    }
    if (place !== undefined && name !== undefined) names.add(name)
    for (const [field, schema] of Object.entries(properties)) {
      names.add(field)
      visit(schema)
    }
    for (const inner of Object.values(rest)) visit(inner)
  }
  for (const methods of Object.values(document.paths))
    for (const { parameters, requestBody } of Object.values(methods)) visit([parameters, requestBody])
  return [...names].sort()
}

const tools = [...marketTools, ...conversionTools, ...transactionTools, ...createLocalTools(() => undefined)]

it('every field of openapi.json and of the tools for agents is either logged or redacted', () => {
  const fields = [...listRequestFields(), ...tools.flatMap(({ input }) => Object.keys(input.shape))]
  expect(fields).toContain('signedTransaction')
  expect(fields.filter((name) => loggedFields.has(name) === redactedFields.has(name))).toEqual([])
  const known = new Set(fields)
  expect([...loggedFields, ...redactedFields].filter((name) => !known.has(name))).toEqual([])
})

it('the log has amounts, addresses, hashes and times as they were sent', () => {
  const input = {
    chainId: 84532,
    tokenIn: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    amounts: ['1000', '900000000.000001'],
    transactionHash: `0x${'ab'.repeat(32)}`,
    from: '2026-11-21T05:00:00.000Z',
    code: 'svc/no-route',
    unlimited: false,
  }
  expect(toLoggedInput(input)).toBe(JSON.stringify(input))
  expect(toLoggedInput(undefined)).toBeUndefined()
})

it('the log has no signature, signed transaction, quote, personal text or unknown field', () => {
  const secret = 'secret-of-a-client'
  const input = {
    quote: secret,
    signedTransaction: secret,
    clientReference: secret,
    permit: { kind: 'eip2612', signature: secret, unknown: secret },
    topics: [{ topic: 'quote', clientReference: secret, [secret]: 1 }],
    [secret]: secret,
    url: `https://${secret}.example`,
  }
  const text = toLoggedInput(input)
  expect(text).not.toContain(secret)
  expect(JSON.parse(text ?? '')).toEqual({
    quote: '[redacted]',
    signedTransaction: '[redacted]',
    clientReference: '[redacted]',
    permit: { kind: 'eip2612', signature: '[redacted]' },
    topics: [{ topic: 'quote', clientReference: '[redacted]' }],
    url: '[redacted]',
  })
})

it.each([
  ['a private key', 'ab'.repeat(32)],
  ['a private key with 0x', `0x${'ab'.repeat(32)}`],
  ['an API key', 'agio_4GaPXKvToNsNhb7Ezqb24Mew7f24gts4OriR0_KqDzI'],
  ['a secret of a webhook', 'whsec_4GaPXKvToNsNhb7Ezqb24Mew7f24gts4'],
  ['an e-mail address', 'dev@shop.example'],
  ['a sentence', 'ab cd'],
  ['a URL', 'https://shop.example'],
  ['a signed transaction', `0x02${'ab'.repeat(100)}`],
])('the log does not have %s that was sent in the field of an amount', (_, value) => {
  expect(toLoggedInput({ amountIn: value })).toBe('{"amountIn":"[redacted]"}')
})

it('the log of an input is bounded', () => {
  const deep = { limits: { limits: { limits: { limits: { limits: 1 } } } } }
  expect(toLoggedInput(deep)).toBe('{"limits":{"limits":{"limits":{"limits":"[too long]"}}}}')
  const text = '1'.repeat(80)
  const amounts = Array.from({ length: 1000 }, () => text)
  const wide = Object.fromEntries([...loggedFields].map((name) => [name, name === 'amounts' ? amounts : [text, text]]))
  expect(JSON.parse(toLoggedInput({ amounts }) ?? '')).toEqual({ amounts: [...amounts.slice(0, 20), '[too long]'] })
  expect(toLoggedInput(wide)?.length).toBeLessThan(6000)
})
