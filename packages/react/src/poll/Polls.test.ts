import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Polls } from './Polls.ts'

const page = Object.assign(new EventTarget(), { hidden: false })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function show(isShown: boolean) {
  page.hidden = !isShown
  page.dispatchEvent(new Event('visibilitychange'))
}

it('components share the reads of a value, which pause while the page is hidden and end with the last component', async () => {
  let reads = 0
  const queryFn = async () => (reads += 1)
  const query = { queryKey: ['value'], queryFn, refetchInterval: 1000, retry: false } as const
  const polls = new Polls({ now: () => Date.now() })
  const ends = [polls.subscribe(query, () => {}), polls.subscribe(query, () => {})]
  await vi.advanceTimersByTimeAsync(2500)
  expect(reads).toBe(3)
  show(false)
  await vi.advanceTimersByTimeAsync(5000)
  expect(reads).toBe(3)
  show(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(reads).toBe(4)
  for (const end of ends) end()
  await vi.advanceTimersByTimeAsync(5000)
  expect(reads).toBe(4)
  // A component that comes back has the last value at once.
  expect(polls.read(query).data).toBe(4)
})

it('a value or an error of a stream replaces the read, and a refresh reads again', async () => {
  let reads = 0
  const queryFn = async () => (reads += 1)
  const query = { queryKey: ['streamed'], queryFn, refetchInterval: Infinity, retry: false } as const
  const polls = new Polls({ now: () => Date.now() })
  const end = polls.subscribe(query, () => {})
  await vi.advanceTimersByTimeAsync(0)
  polls.put(query, { data: 10 })
  expect(polls.read(query)).toMatchObject({ data: 10, error: undefined })
  const refusal = new Error('refused')
  polls.put(query, { error: refusal })
  expect(polls.read(query)).toMatchObject({ data: 10, error: refusal, failedAt: Date.now() })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toBe(1)
  polls.refresh(({ error }) => error === undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect(reads).toBe(1)
  polls.refresh()
  await vi.advanceTimersByTimeAsync(0)
  expect(polls.read(query)).toMatchObject({ data: 2, error: undefined, failedAt: undefined })
  end()
})
