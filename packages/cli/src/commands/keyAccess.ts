import type { ApiKey, UpdateApiKeyInput } from '@agio/sdk/admin'
import { InvalidArgumentError, Option, type Command, type OptionValues } from '@commander-js/extra-typings'

/** Adds the options that restrict a key to a command. */
export function withAccess<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
) {
  return command
    .addOption(
      new Option(
        '--scopes <list>',
        'what the key may do, comma-separated. Default of a new key: all but rotate',
      ).argParser(parseList),
    )
    .addOption(new Option('--expires <time>', 'when the key expires, such as 2027-01-31T00:00:00Z'))
    .addOption(new Option('--cidrs <list>', 'addresses and networks that may use it').argParser(parseList))
    .addOption(new Option('--cidrs-dry-run <on|off>', 'only log other addresses').argParser(parseSwitch))
    .addOption(new Option('--origins <list>', 'origins whose pages may use the key').argParser(parseList))
}

type List = readonly string[] | 'none'

type AccessOptions = {
  readonly scopes?: List | undefined
  readonly expires?: string | undefined
  readonly cidrs?: List | undefined
  readonly cidrsDryRun?: boolean | undefined
  readonly origins?: List | undefined
}

type AccessChanges = Pick<
  UpdateApiKeyInput,
  'scopes' | 'expiresAt' | 'allowedCidrs' | 'isCidrDryRun' | 'allowedOrigins'
>

/** Returns the restrictions that the options change. Null removes a restriction. */
export function toAccessChanges({ scopes, expires, cidrs, cidrsDryRun, origins }: AccessOptions): AccessChanges {
  return {
    // The service refuses other scopes.
    scopes: toChange(scopes) as AccessChanges['scopes'],
    expiresAt: expires === 'none' ? null : expires,
    allowedCidrs: toChange(cidrs),
    isCidrDryRun: cidrsDryRun,
    allowedOrigins: toChange(origins),
  }
}

/** Formats the restrictions of a key as a short text. */
export function formatAccess({ scopes, expiresAt, allowedCidrs, isCidrDryRun, allowedOrigins }: ApiKey): string {
  const parts = [
    ...(scopes ? [scopes.join(',')] : []),
    ...(expiresAt === undefined ? [] : [`until ${expiresAt}`]),
    ...(allowedCidrs ? [`from ${allowedCidrs.join(',')}${isCidrDryRun === true ? ' (dry run)' : ''}`] : []),
    ...(allowedOrigins ? [`on ${allowedOrigins.join(',')}`] : []),
  ]
  return parts.join(' ') || 'all'
}

function toChange(list: List | undefined): string[] | null | undefined {
  return list === 'none' ? null : list && [...list]
}

/** Parses a list with commas, or the text `none`. */
function parseList(text: string): List {
  if (text === 'none') return text
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('It is not on or off.')
}
