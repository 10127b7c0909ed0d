import { useEffect, useState } from 'react'

/**
 * Returns the time in milliseconds and updates it every `intervalMs`. It does not update in a hidden tab.
 *
 * @param now the clock
 */
export function useNow(intervalMs = 1000, now: () => number = Date.now): number {
  const [time, setTime] = useState(now)
  useEffect(() => {
    const update = () => {
      if (!document.hidden) setTime(now())
    }
    const timer = setInterval(update, intervalMs)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [intervalMs, now])
  return time
}
