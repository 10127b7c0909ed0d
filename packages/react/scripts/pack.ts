// Packs the package into the folder of its argument, and copies the script of the custom element beside it. Prints the path of
// the tarball.
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import manifest from '../package.json' with { type: 'json' }
import { writeTarball } from '../../sdk/scripts/writeTarball.ts'
import './build.ts'

const folder = resolve(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? '.')

await cp(join(folder, 'dist/agio-convert.js'), join(target, 'agio-convert.js'))
console.log(await writeTarball(folder, { manifest, target }))
