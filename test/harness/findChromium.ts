import { existsSync } from 'node:fs'
import { installPackage } from './installPackage.ts'

// Debian's Chromium, and Chrome as the runners of CI have it.
const paths = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/** Returns the path of Chromium, which is installed from the packages of the system if it is missing; undefined if it cannot be. */
export async function findChromium(): Promise<string | undefined> {
  const find = () => paths.find(existsSync)
  return find() ?? (await installPackage('chromium').then(find, () => undefined))
}
