import { useEffect, useState } from 'react'

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

/** Returns whether the user has moved the pointer or pressed a key within `idleAfterMs`. */
export function useIsActive(idleAfterMs: number): boolean {
  const [isActive, setIsActive] = useState(true)
  useEffect(() => {
    let lastAt = Date.now()
    let timer = setTimeout(check, idleAfterMs)
    function check() {
      const leftMs = lastAt + idleAfterMs - Date.now()
      setIsActive(leftMs > 0)
      if (leftMs > 0) timer = setTimeout(check, leftMs)
    }
    const onInput = () => {
      const wasIdle = Date.now() - lastAt >= idleAfterMs
      lastAt = Date.now()
      if (!wasIdle) return
      clearTimeout(timer)
      check()
    }
    for (const input of inputs) window.addEventListener(input, onInput, { passive: true, capture: true })
    return () => {
      clearTimeout(timer)
      for (const input of inputs) window.removeEventListener(input, onInput, { capture: true })
    }
  }, [idleAfterMs])
  return isActive
}
