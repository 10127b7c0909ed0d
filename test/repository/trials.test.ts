import { expect, it } from 'vitest'
import { addTrial } from '../long/trials.ts'

const soak = { trial: 'Soak', tried: 'a | b', result: '0 lost', date: '2026-11-22', commit: 'abc1234' }
const disk = { trial: 'Full disk', tried: 'one\nline', result: 'none lost', date: '2026-11-23', commit: 'def5678+' }

it('the document of trials has a row per trial, in the order of their names', () => {
  const document = addTrial(addTrial('', soak), disk)
  expect(document.split('\n').filter((line) => line.startsWith('| '))).toEqual([
    '| trial | tried | result | date, commit |',
    '| --- | --- | --- | --- |',
    '| Full disk | one line | none lost | 2026-11-23, def5678+ |',
    '| Soak | a \\| b | 0 lost | 2026-11-22, abc1234 |',
  ])
})

it('a repeated trial replaces its own row in the document of trials and keeps the others', () => {
  const document = addTrial(addTrial('', disk), soak)
  expect(addTrial(document, soak)).toBe(document)
  expect(addTrial(document, { ...soak, result: '1 lost' })).toBe(document.replace('0 lost', '1 lost'))
})
