import { randomBytes } from 'node:crypto'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { toDenoPermissions } from '../deno/toDenoPermissions.ts'
import { parseServiceSettings } from './parseServiceSettings.ts'

const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'agio-settings-'))
afterAll(remove)

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

  it('the file of the master key has one or two lines', async () => {
    const lines = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    for (const masterKeys of [lines.slice(0, 1), lines]) {
      const MASTER_KEY_FILE = await write('master', `${masterKeys.join('\n')}\n`)
      const settings = parseServiceSettings({ MASTER_KEY_FILE })
      expect(settings.masterKeys).toEqual(masterKeys)
      expect(toDenoPermissions(settings).join(' ')).not.toContain(masterKeys[0])
    }
  })

  it.each([
    ['a key of 128 bits', randomBytes(16).toString('base64')],
    ['a key in hex', randomBytes(32).toString('hex')],
    ['three keys', Array.from({ length: 3 }, () => randomBytes(32).toString('base64')).join('\n')],
  ])('error: %s is not a master key, and is not quoted', async (_, text) => {
    const MASTER_KEY_FILE = await write('master', text)
    const act = () => parseServiceSettings({ MASTER_KEY_FILE })
    expect(act).toThrow('MASTER_KEY')
    expect(act).not.toThrow(text.slice(0, 20))
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
