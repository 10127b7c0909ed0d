// `pnpm scenario <name>`: puts a fault in place in a running `pnpm start`, or takes all of them away.
import { runScenarioCommand } from './cli/runScenarioCommand.ts'

try {
  console.log(await runScenarioCommand(process.argv.slice(2), process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
