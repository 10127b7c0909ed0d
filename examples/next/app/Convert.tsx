'use client'

import { AgioConvert } from '@agio/react'
import { localContracts } from '@agio/sdk/testing'

/** The conversion runs in the browser. On a real network, `contracts` has the addresses of its deployment. */
export function Convert() {
  return (
    <AgioConvert
      url="/agio"
      contracts={localContracts}
      chainId={84532}
      defaultTokenIn="tAUD"
      defaultTokenOut="tUSD"
      defaultAmountIn="100"
    />
  )
}
