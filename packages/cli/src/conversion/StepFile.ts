import { findLocalStack, toStacksFolder, type LocalStack } from '@agio/localnet/stacks'
import { parseStep, type Step } from '@agio/sdk'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from '../errors/CommandError.ts'
import { findText, writePrivateJson } from '../files/privateFile.ts'

/** The file with the newest step of a conversion, from which the conversion is resumed. Only its owner can read it. */
export type StepFile = ReturnType<typeof createStepFile>

/**
 * Creates the file of a new conversion: at the given path, or in the state folder of the user. There, conversions of local stacks
 * that have ended are removed, because their chains are gone.
 */
export function createStepFile(given: string | undefined, stack: LocalStack | undefined) {
  let path = given
  return {
    /** The path; undefined until the first step is written, if the command chooses it. */
    get path(): string | undefined {
      return path
    },
    async write(step: Step): Promise<void> {
      path ??= join(await chooseFolder(stack), `${step.conversionId}.json`)
      await mkdir(dirname(path), { recursive: true })
      // On the disk before the wallet is asked, so that a crash of the machine loses no transaction either.
      await writePrivateJson(path, step)
    },
    /** Removes the file, if the command has chosen its path. */
    async remove(): Promise<void> {
      if (given === undefined && path !== undefined) await rm(path, { force: true })
    },
  }
}

async function chooseFolder(stack: LocalStack | undefined): Promise<string> {
  const folder = join(dirname(toStacksFolder()), 'conversions')
  for (const name of await readdir(folder).catch(() => [])) {
    const [, ended = '', pid] = /^(.+)-(\d+)$/.exec(name) ?? []
    const isGone = pid !== undefined && (await findLocalStack(ended))?.pid !== Number(pid)
    if (isGone) await rm(join(folder, name), { recursive: true, force: true })
  }
  return stack === undefined ? folder : join(folder, `${stack.name}-${stack.pid}`)
}

/** Reads the step of a file; undefined if the file does not exist. @throws `CommandError` if it has no step */
export async function findStep(path: string): Promise<Step | undefined> {
  const content = await findText(path)
  if (content === undefined) return undefined
  try {
    return parseStep(JSON.parse(content))
  } catch (cause) {
    throw new CommandError('input', `Cannot resume: ${path} has no step of a conversion`, { cause })
  }
}
