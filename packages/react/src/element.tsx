/**
 * The custom element `<agio-convert>`, as one script with React and the SDK. Its styles are a constructed style sheet in a shadow
 * root, which a policy without `unsafe-inline` allows and which the styles of the page do not reach.
 *
 * @module
 */

import type { PinnedContracts, Wallet } from '@agio/sdk'
import { createRoot, type Root } from 'react-dom/client'
import { AgioConvert } from './card/AgioConvert.tsx'
import { styles } from './card/styles.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(styles)

/**
 * The convert card as an element. Attributes: `url`, `contracts` (JSON, or `service`), `chain-id`, `token-in`, `token-out`,
 * `amount-in`. The properties `contracts` and `wallet` take objects. Events: `agio-quote`, `agio-sent`, `agio-receipt` and
 * `agio-error`, with the value in `detail`.
 */
class AgioConvertElement extends HTMLElement {
  static readonly observedAttributes = ['url', 'contracts', 'chain-id', 'token-in', 'token-out', 'amount-in']
  #contracts: PinnedContracts | 'service' | undefined
  #wallet: Wallet | undefined
  #root: Root | undefined

  /** The contracts that conversions may call, or `service`. */
  get contracts(): PinnedContracts | 'service' | undefined {
    const text = this.getAttribute('contracts')
    return this.#contracts ?? (text === null || text === 'service' ? (text ?? undefined) : parseContracts(text))
  }

  set contracts(contracts: PinnedContracts | 'service' | undefined) {
    this.#contracts = contracts
    this.#render()
  }

  /** The wallet of the page. Without it, the card lists the wallets of the browser. */
  get wallet(): Wallet | undefined {
    return this.#wallet
  }

  set wallet(wallet: Wallet | undefined) {
    this.#wallet = wallet
    this.#render()
  }

  connectedCallback(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    shadow.adoptedStyleSheets = [sheet]
    this.#root ??= createRoot(shadow)
    this.#render()
  }

  attributeChangedCallback(): void {
    this.#render()
  }

  disconnectedCallback(): void {
    // An element that is moved is connected again at once.
    queueMicrotask(() => {
      if (this.isConnected) return
      this.#root?.unmount()
      this.#root = undefined
    })
  }

  #render(): void {
    const { contracts } = this
    const [url, chainId] = [this.getAttribute('url'), Number(this.getAttribute('chain-id'))]
    const missing = [!url && 'url', !chainId && 'chain-id', contracts === undefined && 'contracts'].filter(Boolean)
    if (missing.length > 0 || !url || contracts === undefined) {
      this.#root?.render(
        <p role="alert">{`<agio-convert> needs ${missing.join(', ')}. Nothing can be signed without.`}</p>,
      )
      return
    }
    const emit = (name: string) => (detail: unknown) => {
      this.dispatchEvent(new CustomEvent(`agio-${name}`, { detail, bubbles: true, composed: true }))
    }
    this.#root?.render(
      <AgioConvert
        // A provider reads its options once.
        key={JSON.stringify([url, contracts])}
        url={url}
        contracts={contracts}
        chainId={chainId as 84532}
        wallet={this.#wallet}
        defaultTokenIn={this.getAttribute('token-in') ?? undefined}
        defaultTokenOut={this.getAttribute('token-out') ?? undefined}
        defaultAmountIn={this.getAttribute('amount-in') ?? undefined}
        onQuote={emit('quote')}
        onSent={emit('sent')}
        onReceipt={emit('receipt')}
        onError={emit('error')}
      />,
    )
  }
}

/** Parses the attribute. Any other text counts as missing, so that nothing can be signed. */
function parseContracts(text: string): PinnedContracts | undefined {
  try {
    return JSON.parse(text) as PinnedContracts
  } catch {
    return undefined
  }
}

if (!customElements.get('agio-convert')) customElements.define('agio-convert', AgioConvertElement)
