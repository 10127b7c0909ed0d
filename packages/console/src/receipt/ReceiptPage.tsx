import { useState, type SubmitEvent } from 'react'
import { useLocation, useParams } from 'wouter'
import { settings } from '../settings/settings.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { parseHash } from '../ui/Address.tsx'
import { ActivityTable } from './ActivityTable.tsx'
import { ReceiptView } from './ReceiptView.tsx'
import parts from '../ui/ui.module.css'
import styles from './ReceiptPage.module.css'

/**
 * The Activity page with all conversions of this browser, and the receipt of one: the amounts of a conversion and where the difference went. The URL names the transaction and its
 * network.
 */
export function ReceiptPage() {
  const { transactionHash: named } = useParams<{ readonly transactionHash?: string }>()
  const { network, unservedChain } = useNetworkOfUrl()
  const transactionHash = named === undefined ? undefined : parseHash(named)
  return (
    <div className={parts['page']}>
      <h1>{named === undefined ? 'Activity' : 'Receipt'}</h1>
      <HashForm key={named} named={named ?? ''} chainId={network.chainId} />
      {unservedChain !== undefined && <UnservedChain chain={unservedChain} />}
      {named === undefined && <ActivityTable />}
      {unservedChain === undefined && transactionHash !== undefined && (
        <ReceiptView
          key={`${network.chainId} ${transactionHash}`}
          transactionHash={transactionHash}
          network={network}
        />
      )}
    </div>
  )
}

function HashForm({ named, chainId }: { readonly named: string; readonly chainId: number }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState(named)
  const [isRefused, setRefused] = useState(named !== '' && parseHash(named) === undefined)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const hash = parseHash(text)
    setRefused(hash === undefined)
    if (hash !== undefined) navigate(`/receipt/${hash}?chain=${chainId}`)
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <TextField
        label="Transaction hash"
        value={text}
        placeholder="0x…"
        spellCheck={false}
        autoComplete="off"
        hint="Paste any transaction hash or explorer link."
        error={isRefused ? 'Invalid transaction hash. Enter 0x and 64 hexadecimal digits.' : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setRefused(false)
        }}
      />
      <Button type="submit" variant="primary">
        Show receipt
      </Button>
    </form>
  )
}

function UnservedChain({ chain }: { readonly chain: string }) {
  const names = settings.networks.map(({ name, chainId }) => `${name} (${chainId})`)
  return (
    <Notice tone="warning" title="This service does not support the network of the link">
      The link is for chain {chain}. This service supports {names.join(' and ')}.
    </Notice>
  )
}
