import { openStore } from '@agio/store'
import { apiKey } from './settingsFor.ts'

/** Creates the embedded database from which services under test start; it holds one key and nothing else. */
export async function createEmptyDatabase(folder: string): Promise<void> {
  const log = { info: () => {}, error: () => {} }
  const store = await openStore({ location: { folder }, log })
  const about = { name: 'test', email: 'test@localhost', useCase: 'tests', expectedVolume: 'any' }
  await store.keys.ensure({ ...about, id: 'key_test', secret: apiKey, tier: 'local' })
  await store.close()
}
