// `pnpm scenario <name>`: injects a fault into a running `pnpm start`, or removes all faults.
import { runOnce } from '@agio/server/cli'
import { runScenarioCommand, scenarioUsage } from './cli/runScenarioCommand.ts'

await runOnce(scenarioUsage, (args) => runScenarioCommand(args, process.env))
