/** Creates a mutex, which runs one task after the other, in the order of the calls, also after one that fails. */
export function createMutex(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = last.then(task, task)
    last = done
    return done
  }
}
