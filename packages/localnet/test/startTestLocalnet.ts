import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { startLocalnet, type Localnet } from '../src/localnet/startLocalnet.ts'

/** Starts the local chains on free ports, with their deployment files in a folder that is removed with them. */
async function startTestLocalnet(): Promise<Localnet> {
  await using starting = new AsyncDisposableStack()
  const deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-localnet-test-'))
  starting.defer(() => rm(deploymentsDir, { recursive: true }))
  const localnet = starting.use(await startLocalnet({ rpcPort: 0, deploymentsDir }))
  const running = starting.move()
  const stop = () => running.disposeAsync()
  return { ...localnet, stop, [Symbol.asyncDispose]: stop }
}

/** Starts the local chains before the tests of a file, and stops them afterwards. */
export function setUpLocalnet(): Localnet {
  // Each part is there once the hook has run.
  const localnet = {} as Localnet
  beforeAll(async () => void Object.assign(localnet, await startTestLocalnet()))
  afterAll(() => localnet[Symbol.asyncDispose]?.())
  return localnet
}
