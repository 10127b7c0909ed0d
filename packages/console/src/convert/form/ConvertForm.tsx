import { Decimal, selectToken, type Side } from '@agio/react/internal'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useSettings } from '../../settings/console.ts'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { useNetwork } from '../../settings/network.ts'
import { Button } from '../../ui/Button.tsx'
import { FlipIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { WalletButton } from '../../wallet/WalletButton.tsx'
import { ApprovalLine } from '../issues/ApprovalLine.tsx'
import { toLabel } from '../issues/useSending.ts'
import { type Faucet, useFaucet, WalletIssues } from '../issues/WalletIssues.tsx'
import { AmountField } from './AmountField.tsx'
import styles from './form.module.css'
import { ConvertStatus, PriceChangeNotice, QuoteFailure } from './ConvertStatus.tsx'
import { type ConvertFormState, findFailure } from './useConvertForm.ts'
import { useForm } from './useForm.ts'

/** The form of a conversion: both amounts and tokens, the obstacles, and the button that converts. */
export function ConvertForm(form: ConvertFormState) {
  const { chain, wallet, pair, view, failed } = form
  const failure = findFailure(view)
  const { flip } = useForm()
  const element = useRef<HTMLFormElement>(null)
  const onMined = async () => {
    await form.onMined()
    // The pressed button may disappear.
    focusNext(form.amount.kind === 'empty' ? element.current?.querySelector('input') : findMain(element.current))
  }
  const faucet = useFaucet({ wallet, chain, isShort: form.obstacle?.isShort === true, onMined })
  return (
    <Panel className={styles['panel']}>
      <form
        ref={element}
        name={formName}
        aria-label="Convert"
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void form.convert()
        }}
      >
        <div className={styles['amounts']}>
          <Amounts form={form} side="tokenIn" />
          <Button
            className={styles['flip']}
            icon={<FlipIcon />}
            aria-label="Swap the tokens"
            disabled={!chain || !pair}
            onClick={() => chain && pair && flip(chain.chainId, pair)}
          />
          <Amounts form={form} side="tokenOut" />
        </div>
        {failed && !form.hasFault && <ErrorNotice {...failed} />}
        {!failed && failure && !form.hasFault && <QuoteFailure {...view} failure={failure} />}
        {chain && wallet && (
          <>
            <OtherNetwork walletChainId={wallet.chainId} />
            <WalletIssues words={form.issues} />
            {faucet.claim.failed && <ErrorNotice {...faucet.claim.failed} />}
          </>
        )}
        <MainButton form={form} faucet={faucet} onLeave={() => focusNext(findMain(element.current))} />
        {/* Below the button, so that the button does not move when the first quote arrives. */}
        {wallet && view.quote && form.needsApproval && (
          <ApprovalLine
            wallet={wallet}
            quote={view.quote}
            isCurrent={form.isCurrent && !form.hasFault}
            onMined={onMined}
          />
        )}
      </form>
    </Panel>
  )
}

/** The name of the form in its document. */
export const formName = 'convert'

function findMain(form: HTMLFormElement | null) {
  return form?.querySelector<HTMLElement>(`.${styles['main']} button`)
}

/** Moves the focus away from a button that disappears, unless the user types. */
function focusNext(element: HTMLElement | null | undefined): void {
  if (!(document.activeElement instanceof HTMLInputElement)) element?.focus()
}

const sides = {
  tokenIn: { mode: 'exact-in', amount: 'amountIn', label: 'You pay', tokenLabel: 'Token to pay' },
  tokenOut: { mode: 'exact-out', amount: 'amountOut', label: 'You receive', tokenLabel: 'Token to receive' },
} as const

function Amounts({ form, side }: { readonly form: ConvertFormState; readonly side: Side }) {
  const { chain, wallet, pair, amount, balances, prices, view } = form
  const { mode, text, setText, setPair } = useForm()
  const { amount: field, ...of } = sides[side]
  const token = form[side]
  const isTyped = mode === of.mode
  const entered = isTyped ? (amount.kind === 'amount' ? amount.amount : undefined) : view.quote?.[field]
  const price = token && prices?.prices[token.symbol]
  return (
    <AmountField
      {...of}
      value={isTyped ? text : Decimal.localize(view.quote?.[field] ?? '')}
      note={
        (isTyped ? toNote(amount) : undefined) ?? toValueNote(entered, price?.stale === false ? price.usd : undefined)
      }
      isOld={!isTyped && view.quote !== undefined && (!form.isCurrent || view.status === 'expired')}
      tokens={chain?.tokens ?? []}
      token={token}
      balances={balances}
      balance={token && balances[token.address]}
      balanceNote={wallet && chain && toBalanceNote(wallet.chainId === chain.chainId)}
      onType={(typed) => setText(of.mode, typed)}
      onSelect={(address) => chain && pair && setPair(chain.chainId, selectToken(pair, side, address))}
      {...(side === 'tokenIn' && { onMax: (balance) => setText('exact-in', Decimal.localize(balance)) })}
    />
  )
}

function toNote(amount: ConvertFormState['amount']) {
  if (amount.kind === 'invalid') return { text: amount.reason, isError: true }
  return amount.kind === 'amount' && amount.hint !== undefined ? { text: amount.hint, isError: false } : undefined
}

function toValueNote(amount: string | undefined, usd: string | undefined) {
  return amount === undefined || usd === undefined
    ? undefined
    : { text: Decimal.formatDollars(amount, usd), isError: false }
}

function toBalanceNote(isThere: boolean): string {
  return isThere ? 'Loading wallet balance…' : 'The wallet is on another network.'
}

/** Announces that the conversion will ask the wallet to switch its network. */
function OtherNetwork({ walletChainId }: { readonly walletChainId: number }) {
  const settings = useSettings()
  const { network } = useNetwork()
  if (walletChainId === network.chainId) return null
  const name = settings.networks.find(({ chainId }) => chainId === walletChainId)?.name ?? `chain ${walletChainId}`
  return (
    <Notice
      title={`The wallet is on ${name}`}
    >{`The conversion first asks your wallet to switch to ${network.name}.`}</Notice>
  )
}

/** The one button that leads to the conversion: it connects a wallet, claims tokens, accepts a price or converts. */
function MainButton({ form, faucet, onLeave }: MainButtonProps) {
  const { wallet, view, obstacle, isConverting } = form
  const { claim, canClaim, nextClaimAt } = faucet
  const statusId = useId()
  if (wallet && !canClaim && view.status === 'changed' && !isConverting) {
    const accept = () => {
      flushSync(view.accept)
      onLeave()
    }
    return <PriceChangeNotice change={view.change} onAccept={accept} />
  }
  return (
    <div className={styles['main']}>
      {wallet ? (
        // One element for both actions, so that it keeps the focus.
        <Button
          type={canClaim ? 'button' : 'submit'}
          variant="primary"
          size="large"
          aria-disabled={!canClaim && obstacle !== undefined}
          isBusy={canClaim ? claim.phase !== undefined : form.isStarting}
          aria-describedby={statusId}
          onClick={canClaim ? claim.send : undefined}
        >
          {canClaim ? toLabel(claim, 'Get test tokens') : 'Convert'}
        </Button>
      ) : (
        <WalletButton size="large" isPrimary />
      )}
      <ConvertStatus id={statusId} view={view} obstacle={obstacle?.text} nextClaimAt={nextClaimAt} onRenew={onLeave} />
    </div>
  )
}

type MainButtonProps = {
  readonly form: ConvertFormState
  readonly faucet: Faucet
  /** Moves the focus away from a button that disappears. */
  readonly onLeave: () => void
}
