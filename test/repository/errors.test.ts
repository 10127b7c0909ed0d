import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const constructors = /^packages\/core\/src\/errors\/\w+Errors\.ts$/

it('only the constructors of Errors create service errors, so that each code has one message', () => {
  const files = globSync(['packages/*/{src,scripts}/**/*.{ts,tsx}', 'test/**/*.ts'], { cwd: root }).filter(
    (file) => !file.includes('node_modules') && file !== 'test/repository/errors.test.ts',
  )
  const creating = files.filter((file) => readFileSync(`${root}${file}`, 'utf8').includes('new ServiceError('))
  expect(creating.length).toBeGreaterThan(0)
  expect(creating.filter((file) => !constructors.test(file))).toEqual([])
})
