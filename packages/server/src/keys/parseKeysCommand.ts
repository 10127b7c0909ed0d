import type { AppRouter } from '@agio/api'
import type { inferRouterInputs } from '@trpc/server'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { defineSettings } from '../settings/defineSettings.ts'
import { formatHelp } from '../settings/formatSettings.ts'
import { serviceSettings } from '../settings/serviceSettings.ts'

/** The settings of `pnpm keys`. */
export const keysSettings = defineSettings({
  adminKey: {
    env: 'ADMIN_KEY',
    schema: z.string(),
    group: 'operation',
    help: 'Admin key of the service',
    secret: true,
  },
  url: {
    env: 'AGIO_URL',
    schema: z.string(),
    defaultText: 'http://127.0.0.1 with the port PORT',
    group: 'operation',
    help: 'URL of the service',
  },
  port: {
    env: 'PORT',
    schema: z.string(),
    defaultText: String(serviceSettings.port.default),
    group: 'operation',
    help: 'Port of the service on this machine',
  },
})

/** The usage of `pnpm keys`. */
export const keysUsage = `Usage:
  pnpm keys issue --name <text> --email <address> --use-case <text> --volume <text> [--company <text>]
                  [--tier standard|sandbox|staging]
                  [--tier production --requests <n> --window-seconds <n> --burst <n per second> --quota <n per month>]
  pnpm keys list
  pnpm keys stats [--month YYYY-MM]
  pnpm keys rotate <id> [--overlap-hours 24]
  pnpm keys revoke <id>
  pnpm keys rotate-quote-secret

Environment variables:
${formatHelp(keysSettings)}

Without ADMIN_KEY and AGIO_URL, the command uses the running pnpm start with its local admin key.`

type KeyApplication = inferRouterInputs<AppRouter>['admin']['keys']['create']

/** A command of `pnpm keys`, with its options. */
export type KeysCommand =
  | { readonly name: 'issue'; readonly application: KeyApplication }
  | { readonly name: 'list' }
  | { readonly name: 'stats'; readonly month?: string | undefined }
  | { readonly name: 'rotate'; readonly id: string; readonly overlapSeconds: number }
  | { readonly name: 'revoke'; readonly id: string }
  | { readonly name: 'rotate-quote-secret' }

/** Parses the command line of `pnpm keys`. The service validates the values. @throws `Error` with the usage */
export function parseKeysCommand(args: readonly string[]): KeysCommand {
  const { name, id, options } = parse(args)
  switch (name) {
    case 'issue':
      return { name, application: toApplication(options) }
    case 'list':
    case 'rotate-quote-secret':
      return { name: nameWithoutArgument(name, id) }
    case 'stats':
      return { name: nameWithoutArgument(name, id), month: options.month }
    case 'rotate':
      return {
        name,
        id: requireValue(id, 'the id of a key'),
        overlapSeconds: toNumber(options['overlap-hours'] ?? '24') * 3600,
      }
    case 'revoke':
      return { name, id: requireValue(id, 'the id of a key') }
    default:
      throw toUsageError(name === undefined ? 'the command is missing' : `unknown command '${name}'`)
  }
}

const stringOption = { type: 'string' } as const

function parse(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: stringOption,
        company: stringOption,
        email: stringOption,
        'use-case': stringOption,
        volume: stringOption,
        tier: stringOption,
        requests: stringOption,
        'window-seconds': stringOption,
        burst: stringOption,
        quota: stringOption,
        month: stringOption,
        'overlap-hours': stringOption,
      },
    })
    const [name, id, ...extra] = positionals
    if (extra.length > 0) throw new Error(`unexpected argument '${extra.join(' ')}'`)
    return { name, id, options: values }
  } catch (cause) {
    throw toUsageError((cause as Error).message)
  }
}

type Options = ReturnType<typeof parse>['options']

function toApplication(options: Options): KeyApplication {
  const { name, company, email, 'use-case': useCase, volume, tier } = options
  const limits = toLimits(options)
  return {
    name: requireValue(name, '--name'),
    ...(company !== undefined && { company }),
    email: requireValue(email, '--email'),
    useCase: requireValue(useCase, '--use-case'),
    expectedVolume: requireValue(volume, '--volume'),
    ...(tier !== undefined && { tier: tier as NonNullable<KeyApplication['tier']> }),
    ...(limits && { limits }),
  }
}

function toLimits({ requests, 'window-seconds': windowSeconds, burst, quota }: Options): KeyApplication['limits'] {
  if ([requests, windowSeconds, burst, quota].every((value) => value === undefined)) return undefined
  return {
    requests: toNumber(requireValue(requests, '--requests')),
    windowSeconds: toNumber(requireValue(windowSeconds, '--window-seconds')),
    burstPerSecond: toNumber(requireValue(burst, '--burst')),
    monthlyQuota: toNumber(requireValue(quota, '--quota')),
  }
}

/** Returns the name of a command that takes no argument. @throws `Error` with the usage if it has one */
function nameWithoutArgument<Name extends string>(name: Name, id: string | undefined): Name {
  if (id === undefined) return name
  throw toUsageError(`unexpected argument '${id}' after '${name}'`)
}

function requireValue(value: string | undefined, label: string): string {
  if (value === undefined) throw toUsageError(`${label} is missing`)
  return value
}

function toNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw toUsageError(`'${value}' is not a whole number`)
}

function toUsageError(reason: string): Error {
  return new Error(`Cannot manage keys: ${reason}.\n${keysUsage}`)
}
