import { readFileSync } from 'node:fs'
import { counted, type Counted } from '../../packages/localnet/test/count.ts'

/** What each project has started. */
export type Counts = Readonly<Record<string, Readonly<Record<Counted, number>>>>

/** Returns what each project has started, from the file to which `count` appends. */
export function readCounts(file: string): Counts {
  const counts: Record<string, Record<Counted, number>> = {}
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const [project = '', name, number] = line.split(' ')
    const ofProject = (counts[project] ??= { stacks: 0, services: 0, processes: 0, deployments: 0 })
    ofProject[name as Counted] += Number(number)
  }
  return counts
}

/** What the tests of each project may start. */
export type Budget = Readonly<Record<string, Readonly<Partial<Record<Counted, number>>>>>

/** Returns a line for each count of a run that is above its budget. A project without a budget may start nothing. */
export function listExcess(counts: Counts, budget: Budget): readonly string[] {
  return Object.entries(counts).flatMap(([project, started]) =>
    counted
      .filter((name) => started[name] > (budget[project]?.[name] ?? 0))
      .map((name) => {
        const allowed = budget[project]?.[name] ?? 0
        return `Over budget: the tests of ${project} started ${started[name]} ${name}, and test/budget.json allows ${allowed}`
      }),
  )
}
