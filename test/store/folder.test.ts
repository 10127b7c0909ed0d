import { mkdtempDisposable, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@agio/store'
import { describe, it } from 'vitest'
import { createTestLog } from './createTestLog.ts'
import { createFolder } from './listDatabases.ts'
import { shop } from './shop.ts'
import { startCounting } from './startCounting.ts'

const open = (folder: string, log = createTestLog()) => openStore({ location: { folder }, log })

describe.concurrent('the folder of an embedded database', () => {
  it('opening an embedded database creates its folder, in which no secret of a key is stored', async ({ expect }) => {
    await using place = await createEmptyFolder()
    const folder = join(place.path, 'a', 'new', 'one')
    const store = await open(folder)
    const { secret } = await store.keys.create(shop)
    expect((await store.keys.find(secret))?.status).toBe('active')
    await store.close()
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect((await readFile(file)).includes(secret), file).toBe(false)
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
    await store.keys.create(shop)
    await store.close()
    await (await open(place.folder)).close()
  })

  it('a store that finds another owner in its folder stops writing and becomes unreachable', async ({ expect }) => {
    await using place = await createFolder()
    const log = createTestLog()
    const store = await open(place.folder, log)
    await abandon(place.folder)
    await expect.poll(() => store.isReachable()).toBe(false)
    await expect(store.keys.create(shop)).rejects.toMatchObject({ code: 'svc/storage-unavailable' })
    await store.close()
    // The lock belongs to the other owner, and stays.
    expect(await readdir(place.folder)).toContain('owner.json')
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

function createEmptyFolder() {
  return mkdtempDisposable(join(tmpdir(), 'agio-store-'))
}

/** Writes the lock of a process that no longer exists. */
async function abandon(folder: string): Promise<void> {
  const owner = { pid: 2 ** 22 + 1, host: hostname(), claim: crypto.randomUUID() }
  await writeFile(join(folder, 'owner.json'), JSON.stringify(owner))
}
