import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtempDisposable, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@agio/store'
import { openDatabase } from '@agio/store/testing'
import { describe, it } from 'vitest'
import { killOnExit } from '../harness/killOnExit.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createTestLog } from './createTestLog.ts'
import { runSql } from './dumpDatabase.ts'
import { createFolder } from './listDatabases.ts'
import { actor, shop } from './shop.ts'
import { startCounting } from './startCounting.ts'

const open = (folder: string, log = createTestLog()) => openStore({ location: { folder }, log })

describe.concurrent('the folder of an embedded database', () => {
  it('opening an embedded database creates its folder, in which no secret of a key is stored', async ({ expect }) => {
    await using place = await createEmptyFolder()
    const folder = join(place.path, 'a', 'new', 'one')
    const store = await open(folder)
    const { secret } = await store.keys.create(shop, actor)
    expect((await store.keys.find(secret))?.status).toBe('active')
    await store.close()
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect((await readFile(file)).includes(secret), file).toBe(false)
  })

  it('a start that was killed while it created a database does not prevent the next one', async ({ expect }) => {
    await using place = await createEmptyFolder()
    const child = spawn(process.execPath, ['--input-type=module', '--eval', openScript, place.path])
    killOnExit(child)
    await expect.poll(() => readdir(place.path), eventually).toContain('pglite.unfinished')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const store = await open(place.path)
    const { secret } = await store.keys.create(shop, actor)
    expect((await store.keys.find(secret))?.status).toBe('active')
    await store.close()
    expect(await readdir(place.path)).toEqual(['pglite'])
  })

  it('a second process cannot open the folder of a database, and the error names the process that has it open', async ({
    expect,
  }) => {
    await using place = await createFolder()
    await using owner = await startCounting({ folder: place.folder })
    const message = `Cannot open the database in ${place.folder}: process ${owner.pid} on ${hostname()} has it open.`
    await expect(open(place.folder)).rejects.toThrow(message)
    await owner.stop()
    await (await open(place.folder)).close()
  })

  it('a second store of the same process cannot open the folder of a database', async ({ expect }) => {
    await using place = await createFolder()
    const store = await open(place.folder)
    await expect(open(place.folder)).rejects.toThrow(`process ${process.pid} on ${hostname()} has it open`)
    await store.keys.create(shop, actor)
    await store.close()
    await (await open(place.folder)).close()
  })

  it('a store that finds another owner in its folder stops writing and becomes unreachable', async ({ expect }) => {
    await using place = await createFolder()
    const log = createTestLog()
    const store = await open(place.folder, log)
    await abandon(place.folder)
    await expect.poll(() => store.state()).toBe('unreachable')
    await expect(store.keys.create(shop, actor)).rejects.toMatchObject({ code: 'svc/storage-unavailable' })
    await store.close()
    // The lock belongs to the other owner, and stays.
    expect(await readdir(place.folder)).toContain('owner.json')
  })

  it('other users have no access to the folder of a database, nor to any file, whenever the engine created it', async ({
    expect,
  }) => {
    await using place = await createEmptyFolder()
    const folder = join(place.path, 'data')
    const database = await openDatabase({ folder })
    const before = await listModes(folder)
    await runSql(database.db, 'create table created_later as select n from generate_series(1, 100000) n')
    await runSql(database.db, 'vacuum full created_later')
    await runSql(database.db, 'select pg_switch_wal()')
    const after = await listModes(folder)
    expect(after.length).toBeGreaterThan(before.length)
    expect(listShared([...before, ...after])).toEqual([])
    await database.close()
    expect(listShared(await listModes(folder))).toEqual([])
  })

  it('opening a folder of an earlier version withdraws the access of other users from all of its files', async ({
    expect,
  }) => {
    await using place = await createFolder()
    for (const { path, isFolder } of await listModes(place.folder)) await chmod(path, isFolder ? 0o755 : 0o666)
    await (await open(place.folder)).close()
    const modes = await listModes(place.folder)
    expect(modes.length).toBeGreaterThan(500)
    expect(listShared(modes)).toEqual([])
    await (await open(place.folder)).close()
  })

  it('a folder that holds other things keeps its mode and theirs, and other users have no access to the database in it', async ({
    expect,
  }) => {
    await using place = await createEmptyFolder()
    const folder = join(place.path, 'home')
    await mkdir(join(folder, 'photos'), { recursive: true })
    await writeFile(join(folder, 'photos', 'one'), '')
    const others = [folder, join(folder, 'photos'), join(folder, 'photos', 'one')]
    for (const path of others) await chmod(path, 0o755)
    await (await open(folder)).close()
    expect(listShared(await listModes(folder))).toEqual(others.map((path) => `755 ${path}`))
  })

  it('error: a folder that cannot be created is reported in one sentence', async ({ expect }) => {
    await using place = await createEmptyFolder()
    const file = join(place.path, 'file')
    await writeFile(file, '')
    for (const folder of [file, join(file, 'data')]) {
      await expect(open(folder)).rejects.toThrow(
        `Cannot open the database in ${folder}: the folder cannot be created or written`,
      )
    }
  })

  it('error: a folder whose files are corrupt is reported in one sentence and not locked', async ({ expect }) => {
    await using place = await createFolder()
    await rm(join(place.folder, 'pglite', 'base'), { recursive: true })
    const message = `Cannot open the database in ${place.folder}: its files cannot be read or written`
    await expect(open(place.folder)).rejects.toThrow(message)
    expect(await readdir(place.folder)).toEqual(['pglite'])
  })
})

const openScript = `
import { openStore } from ${JSON.stringify(import.meta.resolve('@agio/store'))}
await openStore({ location: { folder: process.argv[1] }, log: { info() {}, error() {} } })
`

function createEmptyFolder() {
  return mkdtempDisposable(join(tmpdir(), 'agio-store-'))
}

type Mode = { readonly path: string; readonly isFolder: boolean; readonly mode: number }

/** Returns the modes of a folder and of all that it holds. */
async function listModes(folder: string): Promise<readonly Mode[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))]
  return await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path)
      return { path, isFolder: found.isDirectory(), mode: found.mode & 0o777 }
    }),
  )
}

/** Returns the entries whose modes are not 700 for folders and 600 for files. */
function listShared(modes: readonly Mode[]): readonly string[] {
  const shared = modes.filter(({ isFolder, mode }) => mode !== (isFolder ? 0o700 : 0o600))
  return shared.map(({ path, mode }) => `${mode.toString(8)} ${path}`)
}

/** Writes the lock of a process that no longer exists. */
async function abandon(folder: string): Promise<void> {
  const owner = { pid: 2 ** 22 + 1, host: hostname(), claim: crypto.randomUUID() }
  await writeFile(join(folder, 'owner.json'), JSON.stringify(owner))
}
