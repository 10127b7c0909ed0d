import { toStacksFolder, type LocalStack } from '@agio/localnet/stacks'
import type { Step } from '@agio/sdk'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createStepFile } from './StepFile.ts'

it('a new conversion removes the stored ones of local stacks that have ended, and leaves the others', async () => {
  const folder = dirname(toStacksFolder())
  const stack = { name: `step-file-${process.pid}`, pid: process.pid } as LocalStack
  const running = `stacks/${stack.name}.json`
  for (const name of [running, 'conversions/ended-stack-1/1.json', 'conversions/2.json']) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), JSON.stringify(stack))
  }
  const list = async () => (await readdir(join(folder, 'conversions'), { recursive: true })).toSorted()
  const file = createStepFile(undefined, stack)
  await file.write({ conversionId: '3' } as Step)
  const own = `${stack.name}-${stack.pid}`
  expect(await list()).toEqual(['2.json', own, `${own}/3.json`])
  await file.remove()
  expect(await list()).toEqual(['2.json', own])
  await rm(join(folder, running))
  await rm(join(folder, 'conversions'), { recursive: true })
})
