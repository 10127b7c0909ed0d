/**
 * Keeps the loop of this process turning while something else is waited for. A core that falls asleep between two answers
 * has to be woken by whoever sends the next one: that costs the sender more than the sending, and the slower it is the more.
 */
export async function keepAwake<Value>(work: () => Promise<Value>): Promise<Value> {
  let isOver = false
  const turn = () => {
    if (!isOver) setImmediate(turn)
  }
  turn()
  try {
    return await work()
  } finally {
    isOver = true
  }
}
