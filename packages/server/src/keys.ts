// `pnpm keys`: issues, shows, rotates and revokes API keys of a running service.
import process from 'node:process'
import { runKeysCommand } from './cli/runKeysCommand.ts'

try {
  console.log(await runKeysCommand(process.argv.slice(2), process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
