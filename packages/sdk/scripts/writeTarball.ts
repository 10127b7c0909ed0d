import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Packs a built package into a folder. The exports of the workspace are the sources. As with `pnpm pack`, the entries of the
 * tarball are those of `publishConfig`, which `npm pack` ignores, and ranges of the workspace become versions.
 *
 * @returns the path of the tarball
 */
export async function writeTarball(folder: string, { manifest, target }: writeTarball.Options): Promise<string> {
  const { access, provenance, ...entries } = manifest.publishConfig
  const all = { ...manifest, ...entries, publishConfig: { access, provenance } }
  const { scripts: _, devDependencies: __, ...published } = all
  const text = JSON.stringify(published, undefined, 2).replaceAll('"workspace:^"', `"^${manifest.version}"`)
  const draft = await mkdtemp(join(tmpdir(), 'agio-package-'))
  try {
    for (const name of ['LICENSE', 'README.md', 'dist'])
      await cp(join(folder, name), join(draft, name), { recursive: true })
    await writeFile(join(draft, 'package.json'), `${text}\n`)
    const args = ['pack', '--loglevel=error', '--pack-destination', target]
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    return join(target, execFileSync('npm', args, { cwd: draft, encoding: 'utf8', stdio: [...stdio] }).trim())
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

export declare namespace writeTarball {
  type Options = {
    readonly manifest: {
      readonly version: string
      readonly publishConfig: { readonly access?: string; readonly provenance?: boolean; readonly exports: object }
      readonly scripts?: object
      readonly devDependencies?: object
    }
    /** The folder of the tarball. */
    readonly target: string
  }
}
