import { useState, type SubmitEvent } from 'react'
import { useLocation, useParams } from 'wouter'
import { settings } from '../settings/settings.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { parseHash } from './parseHash.ts'
import { ReceiptView } from './ReceiptView.tsx'
import { StoredConversionList } from './StoredConversionList.tsx'
import styles from './ReceiptPage.module.css'

/** What a conversion paid and received, and where the difference went. The transaction and its network are in the URL. */
export function ReceiptPage() {
  const { transactionHash: named } = useParams<{ readonly transactionHash?: string }>()
  const { network, unservedChain } = useNetworkOfUrl()
  const transactionHash = named === undefined ? undefined : parseHash(named)
  return (
    <div className={styles['page']}>
      <h1>Receipt</h1>
      <HashForm key={named} named={named ?? ''} chainId={network.chainId} />
      {unservedChain !== undefined && <UnservedChain chain={unservedChain} />}
      {named === undefined && <StoredConversionList />}
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
        hint="Of any mined conversion, no matter who sent it. A link to its page in a block explorer is as good."
        error={isRefused ? 'This is no hash of a transaction: that is 0x and 64 hexadecimal digits.' : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setRefused(false)
        }}
      />
      <Button type="submit" variant="primary">
        Show the receipt
      </Button>
    </form>
  )
}

function UnservedChain({ chain }: { readonly chain: string }) {
  const names = settings.networks.map(({ name, chainId }) => `${name} (${chainId})`)
  return (
    <Notice tone="warning" title="This service does not serve the network of the link">
      The link names chain {chain}. The networks of this service are {names.join(' and ')}.
    </Notice>
  )
}
