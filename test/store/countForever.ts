// A process that counts calls of one key until it receives SIGTERM, and prints after each how many it has counted and how
// many of them it knows to be written: `node countForever.ts <location as JSON> <key id> <time to count at>`.
import { writeSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '@agio/store'

const [location = '', keyId = '', atMs] = process.argv.slice(2)
const store = await openStore({
  location: JSON.parse(location) as openStore.Options['location'],
  log: { info: () => {}, error: () => {} },
  now: () => Number(atMs),
})

// As under load, the pool holds idle connections in addition to the writing one.
await Promise.all(Array.from({ length: 10 }, (_, index) => store.keys.find(`unknown ${index}`)))

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
for (let total = 1; !stop.signal.aborted; total += 1) {
  store.usage.count(keyId, 'pools.list')
  writeSync(1, `${total} ${total - store.usage.countUnwritten()}\n`)
  await wait(1)
}
await store.close()
