// A process that counts calls of one key until it is told to stop, and writes down when it has counted how many:
// `node countForever.ts <location as JSON> <key id> <time to count at>`.
import { writeSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '@agio/store'

const [location = '', keyId = '', atMs] = process.argv.slice(2)
const store = await openStore({
  location: JSON.parse(location) as openStore.Settings['location'],
  log: { info: () => {}, error: () => {} },
  now: () => Number(atMs),
})

// As under load, there are idle connections beside the one that writes.
await Promise.all(Array.from({ length: 10 }, (_, index) => store.keys.find(`unknown ${index}`)))

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
for (let total = 1; !stop.signal.aborted; total += 1) {
  store.usage.count(keyId, 'pools.list')
  writeSync(1, `${Date.now()} ${total}\n`)
  await wait(1)
}
await store.close()
