import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// The long trials and the benchmark need time by their nature. The time limits themselves have names.
const exempt = ['test/long/', 'tools/benchmark/', 'test/harness/timeLimits.ts', 'test/repository/timeLimits.test.ts']

/** Tests of packages, which import nothing of `test/`, with their own limit. */
const ownLimits = ['packages/core/src/conversion/Conversion.test.ts']

const files = globSync(['packages/*/src/**/*.test.ts', '{test,tools}/**/*.ts'], { cwd: root })
  .filter((file) => !file.includes('node_modules') && !exempt.some((path) => file.startsWith(path)))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }))

function listFiles(isMatch: (text: string) => boolean): readonly string[] {
  return files.filter(({ text }) => isMatch(text)).map(({ path }) => path)
}

/** The numbers that the first group of a pattern finds in a text. */
function listNumbers(text: string, pattern: RegExp): readonly number[] {
  return Array.from(text.matchAll(pattern), ([, number = '']) => Number(number.replaceAll('_', '')))
}

describe('the time that tests take', () => {
  it('only named limits are longer than a poll waits', () => {
    const isLong = (text: string) =>
      listNumbers(text, /\btimeout: (\d[\d_]*)/g).some((milliseconds) => milliseconds > eventually.timeout)
    expect(listFiles(isLong)).toEqual(ownLimits)
  })

  it('no test sleeps: it waits for an event, or moves a clock', () => {
    const sleep = /await (?:wait|new Promise\(\((?:resolve|done)\) => setTimeout)\((?:(?:resolve|done), )?(\d[\d_]*)\)/g
    expect(listFiles((text) => listNumbers(text, sleep).some((milliseconds) => milliseconds >= 100))).toEqual([])
  })

  it('no test is repeated', () => {
    expect(listFiles((text) => /\bretry: \d|\bretry = |\brepeats: |\{ retry[ ,}]/.test(text))).toEqual([])
  })
})
