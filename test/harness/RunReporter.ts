import { writeFileSync } from 'node:fs'
import process from 'node:process'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

const listedFiles = 20

// What Node, V8 or the local node in Rust ends a process with. An exit code, or SIGKILL, is a fault of a test.
const crash = /Worker exited unexpectedly with signal SIG(ABRT|BUS|FPE|ILL|SEGV|TRAP)/

/**
 * Prints the slowest files of a run. If native crashes ended workers and nothing else failed, writes to `CRASHED_FILE` the arguments of
 * Vitest that run their files again.
 */
export class RunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (modules.length === 0) return
    reportCrashes(modules, errors)
    const files = modules.map(toTimes).toSorted((a, b) => b.collect + b.run - a.collect - a.run)
    console.log(`\nThe ${Math.min(listedFiles, files.length)} slowest files of ${files.length}, in seconds:`)
    console.table(Object.fromEntries(files.slice(0, listedFiles).map(({ name, ...times }) => [name, times])))
  }
}

function reportCrashes(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
  const causes = errors.map(({ cause }) => String((cause as Error | undefined)?.message))
  const crashes = causes.filter((cause) => crash.test(cause))
  if (crashes.length === 0) return
  for (const cause of crashes) console.log(`CRASHED: ${cause}`)
  const { CRASHED_FILE: file } = process.env
  const isOnlyCrashes = crashes.length === errors.length && !modules.some((module) => module.state() === 'failed')
  if (file === undefined || !isOnlyCrashes) return
  const unfinished = modules.filter((module) => !['passed', 'skipped'].includes(module.state()))
  const projects = new Set(unfinished.map(({ project }) => `--project=${project.name}`))
  writeFileSync(file, [...projects, ...unfinished.map(({ moduleId }) => moduleId)].join('\n'))
}

function toTimes(module: TestModule) {
  const { collectDuration, duration } = module.diagnostic()
  return { name: module.relativeModuleId, collect: toSeconds(collectDuration), run: toSeconds(duration) }
}

function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10
}
