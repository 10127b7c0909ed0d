/** Creates a mutex. It runs one task at a time, in the order of the calls, and continues after a task that fails. */
export function createMutex(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = last.then(task, task)
    last = done
    return done
  }
}
