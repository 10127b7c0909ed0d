// Packs the package into the folder of its argument, and prints the path of the tarball.
import { resolve } from 'node:path'
import process from 'node:process'
import manifest from '../package.json' with { type: 'json' }
import { writeTarball } from './writeTarball.ts'
import './build.ts'

const folder = resolve(import.meta.dirname, '..')
console.log(await writeTarball(folder, { manifest, target: resolve(process.argv[2] ?? '.') }))
