import { useState } from 'react'
import { useConnect, useConnections, useConnectors, useDisconnect, useSwitchChain } from 'wagmi'
import { useNetwork, useNetworks } from '../settings/network.ts'
import { useSettings } from '../settings/console.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { Address, shortenHex } from '../ui/Address.tsx'
import { Notice } from '../ui/Notice.tsx'
import { explainConnectError } from './explainConnectError.ts'
import { AnswerBadge, AnswerField } from './testWallet/AnswerField.tsx'
import { testWalletId } from './testWallet/testWalletId.ts'
import { type ConnectedWallet, useWallet } from './useWallet.ts'
import styles from './WalletButton.module.css'

/** A button that connects a wallet or shows the connected wallet. */
export function WalletButton({ size = 'small', isPrimary = false }: WalletButton.Props) {
  const [opened, setOpened] = useState<'choice' | 'wallet'>()
  const wallet = useWallet()
  const close = () => setOpened(undefined)
  // The choice closes when a wallet is connected.
  if (wallet && opened === 'choice') close()
  return (
    <>
      <Button
        variant={isPrimary ? 'primary' : 'secondary'}
        size={size}
        onClick={() => setOpened(wallet ? 'wallet' : 'choice')}
      >
        {wallet ? <WalletLabel {...wallet} /> : 'Connect wallet'}
      </Button>
      {opened === 'wallet' && wallet && <Connected wallet={wallet} onClose={close} />}
      {opened === 'choice' && !wallet && <Choose onClose={close} />}
    </>
  )
}

export declare namespace WalletButton {
  type Props = { readonly size?: 'small' | 'large'; readonly isPrimary?: boolean }
}

function WalletLabel({ id, address, icon, name }: ConnectedWallet) {
  return (
    <>
      <WalletIcon icon={icon} />
      <span className="visually-hidden">{name}</span>
      <code className={styles['address']}>{shortenHex(address)}</code>
      {id === testWalletId && <AnswerBadge />}
    </>
  )
}

function Connected({ wallet, onClose }: { readonly wallet: ConnectedWallet; readonly onClose: () => void }) {
  const { findNetwork } = useNetworks()
  const { mutate: disconnect } = useDisconnect()
  const connections = useConnections()
  const end = () => {
    // Otherwise another wallet that was connected before would replace it.
    for (const { connector } of connections) disconnect({ connector })
    onClose()
  }
  return (
    <Dialog title={wallet.name} onClose={onClose}>
      <dl className={styles['facts']}>
        <dt>Account</dt>
        <dd>
          <Address value={wallet.address} label="the address of the wallet" />
        </dd>
        <dt>Network</dt>
        <dd>{findNetwork(wallet.chainId)?.name ?? `Chain ${wallet.chainId} (not supported by this service)`}</dd>
      </dl>
      {wallet.id === testWalletId && <AnswerField />}
      <SwitchNetwork wallet={wallet} />
      <DialogActions>
        <Button onClick={end}>Disconnect</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Offers to switch a wallet to the network of the page. */
function SwitchNetwork({ wallet }: { readonly wallet: ConnectedWallet }) {
  const { chainId, name } = useNetwork(({ network }) => network)
  const { mutate: switchChain, error, isPending } = useSwitchChain()
  if (wallet.chainId === chainId) return null
  return (
    <>
      <Button isBusy={isPending} onClick={() => switchChain({ chainId })}>
        Switch the wallet to {name}
      </Button>
      {error && <WalletNotice error={error} />}
    </>
  )
}

/** Shows the icon of a wallet, a data URI by EIP-6963. The page loads no icons from other URLs. */
function WalletIcon({ icon }: { readonly icon: string | undefined }) {
  return icon?.startsWith('data:image/') ? <img src={icon} alt="" className={styles['icon']} /> : null
}

function Choose({ onClose }: { readonly onClose: () => void }) {
  const settings = useSettings()
  const connectors = useConnectors()
  const { mutate: connect, variables, error, isPending } = useConnect()
  return (
    <Dialog title="Connect wallet" onClose={onClose}>
      {connectors.length === 0 && (
        <Notice title="No wallet found">
          Install a wallet in this browser, such as an extension that supports EIP-6963, and reload the page.
        </Notice>
      )}
      <ul className={styles['wallets']}>
        {connectors.map((connector) => (
          <li key={connector.uid}>
            <Button
              isBusy={isPending && variables.connector === connector}
              // The wallet may prompt in its own dialog.
              onClick={() => connect({ connector })}
            >
              <WalletIcon icon={connector.icon} />
              {connector.name}
            </Button>
          </li>
        ))}
      </ul>
      {error && <WalletNotice error={error} />}
      {settings.local && <AnswerField />}
    </Dialog>
  )
}

function WalletNotice({ error }: { readonly error: unknown }) {
  const { title, next, tone } = explainConnectError(error)
  return (
    <Notice tone={tone} title={title}>
      {next}
    </Notice>
  )
}
