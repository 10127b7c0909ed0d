import { afterAll, beforeAll, expect, it } from 'vitest'

const entry = './main.tsx'
/** The modules, each evaluated anew. */
const modules = import.meta.glob(['./**/*.ts', './**/*.tsx', '!./**/*.test.ts', '!./main.tsx'], { query: '?alone' })
const storages = ['localStorage', 'sessionStorage'] as const
const before = storages.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
const read: string[] = []

beforeAll(() => {
  for (const name of storages) {
    Object.defineProperty(globalThis, name, { configurable: true, get: () => void read.push(name) })
  }
})

afterAll(() => {
  for (const [name, descriptor] of before) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor)
    else Reflect.deleteProperty(globalThis, name)
  }
})

it(`each module except ${entry} is imported without a document, and reads no storage when it is imported`, async () => {
  expect(globalThis).not.toHaveProperty('document')
  expect(Object.keys(modules).length).toBeGreaterThan(100)
  for (const load of Object.values(modules)) await load()
  expect(read).toEqual([])
})
