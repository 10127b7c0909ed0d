import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Chain } from '@agio/sdk'
import type { QuotePauses, QuoteSecret } from '@agio/sdk/admin'
import { type FormEvent, useState } from 'react'
import { useNetwork, useNetworks } from '../settings/network.ts'
import { AdminErrorNotice, adminQueries, OperatorPage, useAdmin } from './AdminKeyForm.tsx'
import styles from './operate.module.css'
import { trpc } from '../service/trpc.ts'
import { KeyTime } from '../time/Age.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { SelectField } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Empty, Panel, Row, ScrollTable, Skeleton, Stack } from '../ui/Panel.tsx'
import { shortenHex } from '../ui/Address.tsx'

/** The page of the quotes: pairs without quotes, and the secret that signs quotes. */
export function QuotesPage() {
  return (
    <OperatorPage title="Quotes" intro="Stop the quotes of a pair, and replace the secret that signs quotes.">
      <Pauses />
      <Secrets />
    </OperatorPage>
  )
}

type Address = Pause['tokenA']
type Pause = QuotePauses['pauses'][number]
type Pair = Omit<Pause, 'pausedAt'>

function Pauses() {
  const { nameOfChain } = useNetworks()
  const queryClient = useQueryClient()
  const admin = useAdmin()
  const queryKey = [adminQueries, 'pauses']
  const { data, error, errorUpdatedAt } = useQuery({
    queryKey,
    queryFn: ({ signal }) => admin.quotes.listPauses.query(undefined, { signal }),
  })
  const { data: chains } = useQuery(trpc.chains.list.queryOptions())
  const options = { onSuccess: (pauses: QuotePauses) => void queryClient.setQueryData(queryKey, pauses) }
  const pause = useMutation({ mutationFn: (pair: Pair) => admin.quotes.pause.mutate(pair), ...options })
  const resume = useMutation({ mutationFn: (pair: Pair) => admin.quotes.resume.mutate(pair), ...options })
  const failed = [pause, resume].find((each) => each.error)
  const nameToken = (chainId: number, address: string) =>
    chains?.chains
      .find((chain) => chain.chainId === chainId)
      ?.tokens.find((token) => token.address.toLowerCase() === address.toLowerCase())?.symbol ?? shortenHex(address)
  return (
    <Panel title="Paused pairs">
      <Stack>
        <p className="note">
          A paused pair gets no new quotes, in both directions. Quotes that were given before can still be used.
        </p>
        {failed && <AdminErrorNotice error={failed.error} at={failed.submittedAt} />}
        {error && <AdminErrorNotice error={error} at={errorUpdatedAt} />}
        {!data && !error && <Skeleton width="100%" label="Loading the pauses" />}
        {data?.pauses.length === 0 && <Empty>No pair is paused.</Empty>}
        {data && data.pauses.length > 0 && (
          <ScrollTable caption="Paused pairs">
            <thead>
              <tr>
                <th scope="col">Pair</th>
                <th scope="col">Network</th>
                <th scope="col">Since</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.pauses.map(({ pausedAt, ...pair }) => (
                <tr key={`${pair.chainId} ${pair.tokenA} ${pair.tokenB}`}>
                  <th scope="row">
                    {nameToken(pair.chainId, pair.tokenA)} / {nameToken(pair.chainId, pair.tokenB)}
                  </th>
                  <td>{nameOfChain(pair.chainId)}</td>
                  <td>
                    <KeyTime at={pausedAt} hasTime />
                  </td>
                  <td data-number>
                    <Button size="small" isBusy={resume.isPending} onClick={() => resume.mutate(pair)}>
                      Resume
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        )}
        {chains && <PauseForm chains={chains.chains} isBusy={pause.isPending} onPause={pause.mutate} />}
      </Stack>
    </Panel>
  )
}

type PauseFormProps = {
  readonly chains: readonly Chain[]
  readonly isBusy: boolean
  readonly onPause: (pair: Pair) => void
}

function PauseForm({ chains, isBusy, onPause }: PauseFormProps) {
  const { network } = useNetwork()
  const tokens = chains.find(({ chainId }) => chainId === network.chainId)?.tokens ?? []
  const [chosen, setChosen] = useState<readonly [string, string]>(['', ''])
  const [tokenA = '', tokenB = ''] = chosen.map((address, index) =>
    tokens.some((token) => token.address === address) ? address : (tokens[index]?.address ?? ''),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onPause({ chainId: network.chainId, tokenA: tokenA as Address, tokenB: tokenB as Address })
  }
  const options = tokens.map(({ address, symbol }) => (
    <option key={address} value={address}>
      {symbol}
    </option>
  ))
  return (
    <form className={styles['tools']} onSubmit={submit}>
      <SelectField label="Token" value={tokenA} onChange={({ target }) => setChosen([target.value, tokenB])}>
        {options}
      </SelectField>
      <SelectField label="Other token" value={tokenB} onChange={({ target }) => setChosen([tokenA, target.value])}>
        {options}
      </SelectField>
      <Button type="submit" isBusy={isBusy} disabled={tokenA === tokenB}>
        Pause on {network.name}
      </Button>
    </form>
  )
}

function Secrets() {
  const admin = useAdmin()
  const [isRevoking, setIsRevoking] = useState(false)
  const rotation = useMutation({ mutationFn: () => admin.quotes.rotateSecret.mutate({}) })
  const revocation = useMutation({
    mutationFn: () => admin.quotes.revokeSecrets.mutate({}),
    onSuccess: () => setIsRevoking(false),
  })
  const last = [rotation, revocation].toSorted((one, other) => other.submittedAt - one.submittedAt)[0] ?? rotation
  return (
    <Panel title="Signing secret">
      <Stack>
        <p className="note">
          Quotes carry a signature of the service. Rotate it as a routine: given quotes stay valid. Revoke all secrets
          after a leak: every given quote ends.
        </p>
        <Row>
          <Button isBusy={rotation.isPending} onClick={() => rotation.mutate()}>
            Rotate
          </Button>
          <Button variant="danger" onClick={() => setIsRevoking(true)}>
            Revoke all secrets
          </Button>
        </Row>
        {last.data && <NewSecret of={last.data} />}
        {last.error && !isRevoking && <AdminErrorNotice error={last.error} at={last.submittedAt} />}
      </Stack>
      {isRevoking && (
        <Dialog
          title="Revoke all secrets of quotes"
          description="Every quote that was given ends now. Clients must ask for new ones."
          onClose={() => setIsRevoking(false)}
        >
          {revocation.error && <AdminErrorNotice error={revocation.error} at={revocation.submittedAt} />}
          <DialogActions>
            <Button onClick={() => setIsRevoking(false)}>Cancel</Button>
            <Button variant="danger" isBusy={revocation.isPending} onClick={() => revocation.mutate()}>
              Revoke
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </Panel>
  )
}

function NewSecret({ of: { id, signsFrom } }: { readonly of: QuoteSecret }) {
  return (
    <Notice tone="positive" title="New secret">
      <code>{id}</code> signs quotes from <KeyTime at={signsFrom} hasTime /> on.
    </Notice>
  )
}
