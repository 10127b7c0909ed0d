import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).toSorted()
const recipes = [...workflows, '.ci/checks', '.ci/nightly', '.ci/run', 'Dockerfile']

it.each(workflows)('%s uses each action by its commit, beside its version', (file) => {
  const actions = [...read(file).matchAll(/uses: (.*)$/gm)].map(([, action]) => action)
  expect(actions.length).toBeGreaterThan(0)
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

it('workflows, scripts of CI and the image run the pnpm of package.json, by its exact version', () => {
  const used = recipes.flatMap((file) => [...read(file).matchAll(/\bpnpm@[\w.]+/g)].map(([pnpm]) => `${file}: ${pnpm}`))
  expect(used.length).toBeGreaterThan(4)
  expect(used.filter((line) => !line.endsWith(`: ${packageJson.packageManager}`))).toEqual([])
})

it('images have an exact version, and perhaps a digest', () => {
  const images = [...workflows, 'Dockerfile', 'compose.yaml'].flatMap((file) =>
    [...read(file).matchAll(/^ *(?:FROM|image:) (\S+)/gm)].map(([, image]) => image),
  )
  expect(images.length).toBeGreaterThan(6)
  for (const image of images) expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?-[a-z]+(@sha256:[0-9a-f]{64})?$/)
})

it('the image installs the Node that the tests run on', () => {
  const { nodeVersion } = parse(read('pnpm-workspace.yaml')) as { readonly nodeVersion: string }
  const versions = [...read('Dockerfile').matchAll(/^FROM node:([\d.]+)/gm)].map(([, version]) => version)
  expect(new Set(versions)).toEqual(new Set([nodeVersion]))
})

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { readonly services: Record<string, Service> }

  it.each(Object.entries(services))('%s has no capability, a read-only file system and bounds', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+m$/) as string,
      logging: { options: { 'max-size': '10m', 'max-file': '5' } },
    })
    expect(service.cap_add).toBeUndefined()
  })

  it('has no default password', () => {
    const passwords = [...read('compose.yaml').matchAll(/\$\{(\w*PASSWORD|ADMIN_KEY)\b(:.)?/g)]
    expect(passwords.length).toBeGreaterThanOrEqual(5)
    for (const [, name, operator] of passwords) expect(operator, name).toBe(':?')
  })
})

it('a file with secrets beside compose.yaml is never committed', () => {
  expect(read('.gitignore').split('\n')).toContain('.env')
})

type Service = { readonly cap_add?: readonly string[] }
