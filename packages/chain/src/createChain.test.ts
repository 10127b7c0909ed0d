import { Network } from '@agio/core'
import * as chains from 'viem/chains'
import { expect, it } from 'vitest'

// The service has its own names, since viem's list of all networks takes 13 MB of memory.
it('every network has the name, the id and the identifier that viem gives it', () => {
  for (const { chainId, name, slug } of Network.all) {
    expect((chains as Readonly<Record<string, object>>)[slug]).toMatchObject({ id: chainId, name })
  }
})
