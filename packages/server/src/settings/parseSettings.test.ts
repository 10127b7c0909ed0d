import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveUsage } from '../cli/serveUsage.ts'
import { toDenoPermissions } from '../deno/toDenoPermissions.ts'
import { parseServiceSettings } from './parseServiceSettings.ts'
import { serviceSettings } from './serviceSettings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agio-settings-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes a file that holds a value, and returns its path. */
async function write(name: string, value: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, value)
  return path
}

describe('a secret in a file', () => {
  it('each secret may be given as a file, without the line break at its end', async () => {
    const environment = {
      ADMIN_KEY_FILE: await write('admin', 'an-admin-key-in-a-file\n'),
      DATABASE_URL_FILE: await write('database', 'postgres://agio@db/agio\n'),
      REDIS_URL_FILE: await write('redis', 'redis://cache'),
      RPC_URL_84532_FILE: await write('nodes', 'https://a.example/key, https://b.example\n'),
    }
    expect(parseServiceSettings(environment)).toMatchObject({
      adminKey: 'an-admin-key-in-a-file',
      databaseUrl: 'postgres://agio@db/agio',
      redisUrl: 'redis://cache',
      rpcUrls: { 84532: ['https://a.example/key', 'https://b.example'] },
    })
  })

  it('Deno may read the files of secrets', async () => {
    const file = await write('redis', 'redis://cache')
    const options = toDenoPermissions(parseServiceSettings({ REDIS_URL_FILE: file }))
    expect(options.find((option) => option.startsWith('--allow-read='))?.split(',')).toContain(file)
    expect(options.find((option) => option.startsWith('--allow-env='))).toContain('REDIS_URL_FILE')
  })

  it('error: a secret and its file exclude each other', async () => {
    const environment = { REDIS_URL: 'redis://cache', REDIS_URL_FILE: await write('redis', 'redis://cache') }
    expect(() => parseServiceSettings(environment)).toThrow(
      'Cannot start: set either REDIS_URL or REDIS_URL_FILE, not both',
    )
  })

  it('error: only the variable of a file that cannot be read is named', () => {
    const file = join(folder, 'missing')
    expect(() => parseServiceSettings({ ADMIN_KEY_FILE: file })).toThrow(
      /^Cannot start: the file of ADMIN_KEY_FILE cannot be read$/,
    )
  })

  it('error: a bad value in a file is never quoted', async () => {
    const environment = { DATABASE_URL_FILE: await write('database', 'mysql://root:secret@db') }
    expect(() => parseServiceSettings(environment)).toThrow(/^(?!.*secret).*DATABASE_URL/s)
  })
})

it('--help lists every setting, in lines of at most 100 characters', () => {
  const lines = serveUsage.split('\n').slice(5)
  const listed = lines.flatMap((line) => /^ {2}([A-Z][A-Z_\d]+) /.exec(line)?.[1] ?? [])
  expect(listed).toEqual(Object.values(serviceSettings).map(({ env }) => env))
  expect(lines.filter((line) => line.length > 100)).toEqual([])
})
