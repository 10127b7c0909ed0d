import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { killIfHung } from './heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function superviseWorker() {
  const worker = Object.assign(new EventEmitter(), { kill: vi.fn<ChildProcess['kill']>() })
  const onHung = vi.fn<() => void>()
  killIfHung(worker as unknown as ChildProcess, onHung)
  return { worker, onHung }
}

it('a worker is killed once it has been silent for ten seconds after a message', () => {
  const { worker, onHung } = superviseWorker()
  for (let count = 0; count < 5; count += 1) {
    worker.emit('message', { kind: 'alive' })
    vi.advanceTimersByTime(9000)
  }
  expect(onHung).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(onHung).toHaveBeenCalledTimes(1)
  expect(worker.kill.mock.calls).toEqual([['SIGKILL']])
})

it('a worker has a minute until its first message', () => {
  const { worker, onHung } = superviseWorker()
  vi.advanceTimersByTime(59_000)
  expect(onHung).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(worker.kill).toHaveBeenCalledTimes(1)
})

it('a worker that has ended is not killed', () => {
  const { worker, onHung } = superviseWorker()
  worker.emit('exit', 0, null)
  vi.advanceTimersByTime(120_000)
  expect([onHung, worker.kill].map((called) => called.mock.calls)).toEqual([[], []])
})
