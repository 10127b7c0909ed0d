import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parser } from '@prometheus-io/lezer-promql'
import { request } from 'undici'
import { expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import { adminKey } from '../harness/settingsFor.ts'
import { alertCases, healthy, type Series } from './alertCases.ts'

const rulesFile = fileURLToPath(new URL('../../ops/prometheus/rules.yaml', import.meta.url))
const { groups } = parse(await readFile(rulesFile, 'utf8')) as {
  readonly groups: readonly { rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter((rule) => rule.alert !== undefined)
const names = alerts.map(({ alert }) => alert ?? '')

type Rule = {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly annotations?: Readonly<Record<string, string>>
}

/** Lets promtool test alerts against series, at one time or several. */
async function testRules(series: Series, expected: readonly object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agio-rules-'))
  const input = Object.entries({ ...healthy, ...series }).map(([name, values]) => ({ series: name, values }))
  const tests = [{ interval: '1m', input_series: input, alert_rule_test: expected }]
  const file = join(folder, 'test.yaml')
  await writeFile(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }))
  await runPromtool('test', 'rules', file)
  await rm(folder, { recursive: true })
}

it('every alert has a case that fires it', () => {
  expect(Object.keys(alertCases).toSorted()).toEqual(names.toSorted())
})

it('no alert fires for a healthy service', async () => {
  const times = ['5m', '30m', '1h', '2h']
  await testRules(
    {},
    names.flatMap((alertname) => times.map((time) => ({ alertname, eval_time: time, exp_alerts: [] }))),
  )
})

it.each(Object.entries(alertCases))(
  '%s fires, and says what is wrong',
  async (alertname, [changed, values, labels, summary]) => {
    const series = Object.keys(healthy).flatMap((name) => (changed.test(name) ? [[name, values] as const] : []))
    const rule = alerts.find(({ alert }) => alert === alertname)
    const expected = { exp_labels: labels, exp_annotations: { ...rule?.annotations, summary } }
    await testRules(Object.fromEntries(series), [{ alertname, eval_time: '2h', exp_alerts: [expected] }])
  },
)

it('every alert has a section in the runbooks, and its URL leads there', async () => {
  const page = await readFile(new URL('../../docs/operate/runbooks.md', import.meta.url), 'utf8')
  const sections = [...page.matchAll(/^## (Agio\w+)$/gm)].map(([, title]) => title as string)
  expect(sections.toSorted()).toEqual(names.toSorted())
  for (const { alert = '', annotations } of alerts)
    expect(annotations?.['runbook_url']).toBe(`https://agio.example/docs/operate/runbooks#${alert.toLowerCase()}`)
})

it('every metric in the dashboard and in the rules exists', async () => {
  const dashboard = await readFile(new URL('../../ops/grafana/dashboard.json', import.meta.url), 'utf8')
  const { panels } = JSON.parse(dashboard) as { readonly panels: readonly { targets?: readonly { expr: string }[] }[] }
  const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(drawn.length).toBeGreaterThan(20)
  // The variables of Grafana.
  const queries = [...drawn, ...rules.map(({ expr }) => expr)].map((query) =>
    query.replaceAll('$__rate_interval', '5m'),
  )
  const served = await listMetrics()
  const recorded = new Set(rules.flatMap(({ record }) => record ?? []))
  const unknown = queries.flatMap(listNames).filter((name) => !served.has(name) && !recorded.has(name) && name !== 'up')
  expect(unknown).toEqual([])
})

/** Lists the metrics of a PromQL query. @throws `Error` if it is not PromQL */
function listNames(query: string): readonly string[] {
  const found: string[] = []
  parser.parse(query).iterate({
    enter({ name, from, to, type }) {
      if (type.isError) throw new Error(`Cannot parse ${query}`)
      if (name === 'VectorSelector') found.push(/^[\w:]+/.exec(query.slice(from, to))?.[0] ?? '')
    },
  })
  return found
}

/** Lists the names of all samples that a service on Node serves. Deno lacks those of connections. */
async function listMetrics(): Promise<ReadonlySet<string>> {
  const target = inject('targets').find(({ name }) => name !== 'Deno')
  const { body } = await request(`${target?.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  const types = [...(await body.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  const suffixes = ['_bucket', '_count', '_sum']
  return new Set(
    types.flatMap(([, name = '', type]) => [name, ...(type === 'histogram' ? suffixes.map((end) => name + end) : [])]),
  )
}

const run = promisify(execFile)

const cache = fileURLToPath(new URL('../../node_modules/.cache/prometheus', import.meta.url))
const unpacked = join(cache, 'usr/bin/promtool')

/**
 * Returns the path of promtool: of the system, or of Debian's package, which is unpacked once and not installed, because it would
 * start a server.
 *
 * @throws `Error` if neither exists
 */
async function getPromtool(): Promise<string> {
  if (existsSync('/usr/bin/promtool')) return '/usr/bin/promtool'
  if (existsSync(unpacked)) return unpacked
  await mkdir(join(cache, '..'), { recursive: true })
  const folder = await mkdtemp(`${cache}-`)
  try {
    await run('apt-get', ['download', 'prometheus'], { cwd: folder })
    await run('sh', ['-c', 'dpkg -x prometheus_*.deb unpacked'], { cwd: folder })
    await rename(join(folder, 'unpacked'), cache)
  } catch (cause) {
    throw new Error("Cannot test the alerts: install promtool, or run where apt-get finds Debian's prometheus", {
      cause,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return unpacked
}

/** Runs promtool. Returns its output. @throws `Error` with its output if it fails */
async function runPromtool(...args: readonly string[]): Promise<string> {
  try {
    return (await run(await getPromtool(), args)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw stdout || stderr ? new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`) : error
  }
}
