import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rename, rm } from 'node:fs/promises'
import process from 'node:process'
import { engine } from '../assets/assets.ts'
import { createPrivateFolder, restrictTree } from './privateFiles.ts'

// The process ends with its parent, whose end closes the pipe.
const script = `
const [engine, folder, startParams] = process.argv.slice(1)
process.stdin.resume().on('end', () => process.exit(1))
const { PGlite } = require(engine)
PGlite.create(folder, { startParams: JSON.parse(startParams) }).then(async (created) => {
  await created.close()
  process.exit(0)
})
`

/**
 * Creates the files of a new embedded database in a process of its own, in place of an empty folder. It takes hundreds of
 * megabytes, and a process that does it holds 60 of them until it ends.
 *
 * Creates nothing if that process cannot run, such as on Deno, or if the engine is part of a bundle. Then the engine creates the
 * files when it starts.
 *
 * @param startParams the parameters that the engine starts with
 */
export async function createDatabaseFiles(folder: string, startParams: readonly string[]): Promise<void> {
  if (engine === undefined) return
  // The engine takes a folder with some of its files for a database, so a killed process must not leave them in its place.
  const unfinished = `${folder}.unfinished`
  try {
    await remove(unfinished)
    await createPrivateFolder(unfinished)
    const args = ['--liftoff-only', '--eval', script, engine, unfinished, JSON.stringify(startParams)]
    const [code] = await once(spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] }), 'exit')
    if (code === 0) {
      await restrictTree(unfinished)
      await rename(unfinished, folder)
    }
  } catch {
    // If the engine cannot create the files either, it says why.
  }
  await remove(unfinished).catch(() => {})
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
