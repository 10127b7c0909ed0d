import { expect, it } from 'vitest'
import { tolerate } from './browserStorage.ts'

it('a storage that the browser does not allow is empty', () => {
  const storage = tolerate(() => {
    throw new DOMException('Denied', 'SecurityError')
  })
  storage.setItem('theme', 'dark')
  storage.removeItem('theme')
  expect(storage.getItem('theme')).toBeNull()
  expect(storage.listNames()).toEqual([])
})

it('a storage that is full keeps what it has', () => {
  const full = {
    theme: 'dark',
    getItem: (name: string) => (name === 'theme' ? 'dark' : null),
    setItem() {
      throw new DOMException('Full', 'QuotaExceededError')
    },
  } as unknown as Storage
  const storage = tolerate(() => full)
  storage.setItem('theme', 'light')
  expect(storage.getItem('theme')).toBe('dark')
})
