import { defineSettings, formatHelp, parseSettings, serviceSettings } from '@agio/localnet/commands'
import { findLocalStack } from '@agio/localnet/stacks'
import { createAgioAdmin, type AgioAdmin } from '@agio/sdk/admin'
import process from 'node:process'
import { z } from 'zod'
import { CommandError } from '../errors/CommandError.ts'

const adminSettings = defineSettings({
  adminKey: {
    env: 'ADMIN_KEY',
    schema: z.string(),
    group: 'operation',
    help: 'Admin key of the service, or secret of an operator',
    secret: true,
  },
  url: {
    env: 'AGIO_URL',
    schema: z.string(),
    defaultText: 'http://127.0.0.1 with the port ADMIN_PORT, or PORT',
    group: 'operation',
    help: 'URL of the service',
  },
  adminPort: {
    env: 'ADMIN_PORT',
    schema: z.string(),
    group: 'operation',
    help: 'Port of the service for operators on this machine',
  },
  port: {
    env: 'PORT',
    schema: z.string(),
    defaultText: String(serviceSettings.port.default),
    group: 'operation',
    help: 'Port of the service on this machine',
  },
})

/** The help on the environment variables of the commands for operators. */
export const adminHelp = `\nEnvironment variables:\n${formatHelp(adminSettings)}`

/** Connects to the service as an operator. The admin key of a local stack is only used for the registered stack. */
export async function connectAdmin(): Promise<AgioAdmin> {
  const { adminKey, url, port, adminPort } = parseSettings(adminSettings, process.env, 'call the service').values
  if (adminKey !== undefined) {
    return createAgioAdmin({
      url: url ?? `http://127.0.0.1:${adminPort ?? port ?? serviceSettings.port.default}`,
      adminKey,
    })
  }
  const service =
    url === undefined ? (await findLocalStack(process.env['AGIO_STACK'] || undefined))?.service : undefined
  if (!service) {
    throw new CommandError(
      'authentication',
      'Cannot call the service: set ADMIN_KEY to the admin key of the service, or start agio dev',
    )
  }
  const local = new URL(service.url).port
  // If PORT belongs to another service, the command must not change this service.
  if (port === undefined || port === local) return createAgioAdmin(service)
  throw new CommandError(
    'input',
    `Cannot call the service: the local stack serves on port ${local}, not on PORT=${port}. Set ADMIN_KEY for the service on port ${port}, or unset PORT`,
  )
}
