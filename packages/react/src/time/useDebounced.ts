import { useEffect, useState } from 'react'

/**
 * Returns a value once it has not changed for a delay, and the previous value until then. Undefined is returned at
 * once.
 */
export function useDebounced<Value>(value: Value | undefined, delayMs: number): Value | undefined {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === undefined ? 0 : delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return value === undefined ? undefined : settled
}
