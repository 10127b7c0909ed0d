import type { Prompt } from '@agio/sdk/testing'
import { useNetworks } from '../../settings/network.ts'
import { Address } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { describePrompt, type Fact, listTokens } from './describePrompt.ts'
import { type OpenPrompt, usePrompts } from './prompts.ts'
import styles from './TestWalletDialog.module.css'
import { useTokens } from './useTokens.ts'

/** The prompt of the test wallet, like the window of an extension. Closing it rejects the request. */
export function TestWalletDialog() {
  const [shown, ...others] = usePrompts(({ prompts }) => prompts)
  return shown ? <PromptDialog key={shown.id} shown={shown} waiting={others.length} /> : null
}

function PromptDialog({ shown, waiting }: { readonly shown: OpenPrompt; readonly waiting: number }) {
  const { findNetwork, nameOfChain } = useNetworks()
  const { prompt, isRepeated, answer } = shown
  const { chainId, account } = prompt
  const tokens = useTokens(chainId, listTokens(prompt))
  if (!tokens) return null
  const nativeCurrency = findNetwork(chainId)?.nativeCurrency ?? { symbol: 'native', decimals: 18 }
  const { summary, facts } = describePrompt(prompt, { tokens, nativeCurrency, toNetworkName: nameOfChain })
  return (
    <Dialog title="Test wallet" description={summary} onClose={() => answer('reject')}>
      {isRepeated && (
        <p className="note">
          This request is from before the page was reloaded. If you confirm it, the page finds the transaction on the
          chain. The page cannot see a rejection, and waits until the quote has expired.
        </p>
      )}
      <dl className={styles['facts']}>
        {facts.map((fact) => (
          <FactLine key={fact.name} fact={fact} />
        ))}
        <FactLine fact={{ name: 'Account', address: account }} />
        <FactLine fact={{ name: 'Network', text: nameOfChain(chainId) }} />
      </dl>
      <RawRequest prompt={prompt} />
      {waiting > 0 && (
        <p className="note">{waiting === 1 ? '1 more request is waiting.' : `${waiting} more requests are waiting.`}</p>
      )}
      <DialogActions>
        <Button data-autofocus onClick={() => answer('reject')}>
          Reject
        </Button>
        <Button variant="primary" onClick={() => answer('confirm')}>
          Confirm
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function FactLine({ fact: { name, text, address } }: { readonly fact: Fact }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {text !== undefined && <span>{text}</span>}
        {address !== undefined && <Address value={address} label={`the address: ${name}`} />}
      </dd>
    </>
  )
}

function RawRequest({ prompt: { method, params } }: { readonly prompt: Prompt }) {
  if (params.length === 0) return null
  return (
    <details className={styles['request']}>
      <summary>
        Request <code>{method}</code>
      </summary>
      <pre tabIndex={0} aria-label="The request">
        {JSON.stringify(params.map(parseText), undefined, 2)}
      </pre>
    </details>
  )
}

/** Parses typed data, which is passed as text. */
function parseText(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value
  return JSON.parse(value)
}
