import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { checkout } from '../assets/assets.ts'

/**
 * Builds the console if its sources have changed, in a child process that ends with this process. A failed build is
 * reported, and the previous build remains. The published package contains a build, so this builds nothing there.
 *
 * @returns a disposable that ends the build
 */
export function buildConsole({ onProgress }: Options): ConsoleBuild {
  if (checkout === undefined) return { ended: Promise.resolve(), [Symbol.asyncDispose]: () => Promise.resolve() }
  const script = join(checkout, 'packages/console/scripts/build.ts')
  const stopping = new AbortController()
  const kill = () => stopping.abort()
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => {
    const build = execFile(process.execPath, [script], { signal: stopping.signal }, (error, _, reason) => {
      process.off('exit', kill)
      // Ctrl-C reaches the child before this process stops it.
      const isStopped = stopping.signal.aborted || error?.signal === 'SIGINT'
      if (error && !isStopped) onProgress(reason.trim() || error.message)
      resolve()
    })
    build.stdout?.on('data', (text: Buffer | string) => onProgress(String(text).trim()))
  })
  return {
    ended,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await ended
    },
  }
}

type Options = { readonly onProgress: (message: string) => void }

/** A build of the console. Disposing it ends the build. */
export type ConsoleBuild = AsyncDisposable & {
  /** Resolves once the build has ended, successful or not. */
  readonly ended: Promise<void>
}
