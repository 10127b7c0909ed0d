import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { openStore } from '@agio/store'
import { openDatabase, type Database } from '@agio/store/testing'
import { afterAll, beforeAll, inject } from 'vitest'
import { copyDatabase } from '../harness/copyDatabase.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { findServices } from '../harness/findServices.ts'

/** Lists the databases that a store runs on: PostgreSQL where one is available, and PGlite. */
export async function listDatabases(subject: string): Promise<readonly DatabaseKind[]> {
  const hasPostgres = await findServices(['PostgreSQL'], `${subject} on PostgreSQL`)
  // Two in any case, so that each run has a part of them.
  return [hasPostgres ? postgres : embedded, embedded]
}

export type DatabaseKind = { readonly name: 'PGlite' | 'PostgreSQL'; create(): Promise<TestLocation> }

/** The database of one test, removed at its end. */
type TestLocation = AsyncDisposable & { readonly location: openStore.Options['location'] }

/** Opens a new database of a kind. It is removed once it is closed by its disposal. */
export async function openNewDatabase(create: DatabaseKind['create']): Promise<Database & AsyncDisposable> {
  await using starting = new AsyncDisposableStack()
  const place = starting.use(await create())
  const database = await openDatabase(place.location)
  starting.defer(() => database.close())
  const running = starting.move()
  return { ...database, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** Opens a new database of a kind before the tests of a group, and removes it afterwards. */
export function setUpDatabase(create: DatabaseKind['create']): Database {
  // Each part is there once the hook has run.
  const database = {} as Database & AsyncDisposable
  beforeAll(async () => void Object.assign(database, await openNewDatabase(create)))
  afterAll(() => database[Symbol.asyncDispose]?.())
  return database
}

/** Creates a folder with an empty embedded database, copied from a template because migrations take longer. */
export async function createFolder(): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'agio-store-'))
  copyDatabase(inject('emptyDatabase'), folder)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

const embedded: DatabaseKind = {
  name: 'PGlite',
  async create() {
    const { folder, [Symbol.asyncDispose]: dispose } = await createFolder()
    return { location: { folder }, [Symbol.asyncDispose]: dispose }
  },
}

const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  async create() {
    const { url, [Symbol.asyncDispose]: dispose } = await createDatabase()
    return { location: { url }, [Symbol.asyncDispose]: dispose }
  },
}
