import { logLevels } from '@agio/server'
import { join } from 'node:path'
import { projectRoot } from '../project/projectRoot.ts'
import type { startLocalService } from '../service/startLocalService.ts'
import { readAddress } from './readEnvironment.ts'

/** Reads the settings of the service under `pnpm start`, with a database of its own. @throws `Error` that names the variable */
export function readServiceSettings(environment: NodeJS.ProcessEnv): startLocalService.Settings {
  return {
    ...readAddress(environment),
    dataDir: join(projectRoot, '.local/data'),
    // Requests are not logged: the table of addresses stays in sight.
    logLevel: readLogLevel(environment['LOG_LEVEL'] || 'warn'),
  }
}

function readLogLevel(value: string): string {
  if ((logLevels as readonly string[]).includes(value)) return value
  throw new Error(`Cannot use LOG_LEVEL: '${value}' is none of ${logLevels.join(', ')}`)
}
