import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../../..')

/** The folder of the repository. Undefined in the published package, which keeps no data and builds nothing. */
export const checkout: string | undefined = root

/** The paths of the files that the local stack reads, by their names in the bundle of this package. */
export const assets = {
  /** The deployment files of test networks, for forks. */
  deployments: join(root, 'deployments'),
  /** The creation code of Permit2. The folder of the file also documents its origin. */
  'permit2.hex': join(root, 'contracts/testing/permit2/creation.hex'),
  /** The packages for pages, and the script of the element. In the repository they are packed when they are first read. */
  'agio-sdk.tgz': join(root, '.local/sdk/agio-sdk.tgz'),
  'agio-react.tgz': join(root, '.local/react/agio-react.tgz'),
  'agio-convert.js': join(root, '.local/react/agio-convert.js'),
}
