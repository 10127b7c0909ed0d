// Commands that call a running service import this entry. It loads no settings and no schemas, which keeps their start fast.
import { Network } from '@agio/core'

export { errorCatalogue, errorClasses, Network, Operator, type ErrorClass, type ErrorCode } from '@agio/core'
export { findLocalStack, isStackName, toStacksFolder, type LocalStack } from '@agio/server/stacks'
export { formatTable } from './cli/formatTable.ts'

/** Finds a network by its name, in any form, or by its id. */
export function findNetwork(text: string): (typeof Network.all)[number] | undefined {
  const toKey = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return Network.all.find(({ chainId, slug }) => [String(chainId), toKey(slug)].includes(toKey(text)))
}
