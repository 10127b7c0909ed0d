import type { Tool } from '@modelcontextprotocol/client'
import type { AgentClient, Answer, Fields } from './connectAgent.ts'

// What its user said, which no answer replaces.
const ofUser: ReadonlySet<string> = new Set(['amountIn', 'tokenIn', 'tokenOut', 'userAddress'])

/**
 * An agent without a model. It knows no tool: it finds each one by what descriptions and texts say, fills its input with facts of
 * the same names from earlier answers, and does what errors tell it to do.
 */
export class ScriptedAgent {
  /** The names of the tools that it has called, in order. */
  readonly calls: string[] = []
  readonly #client: AgentClient
  readonly #request: ConversionRequest
  readonly #wallet: AgentWallet
  readonly #wait: (error: Fields) => Promise<void>
  readonly #facts = new Map<string, unknown>()

  constructor(client: AgentClient, { request, wallet, wait }: ScriptedAgent.Options) {
    this.#client = client
    this.#request = request
    this.#wallet = wallet
    this.#wait = wait
    this.#facts.set('amountIn', request.amountIn).set('userAddress', wallet.address)
  }

  /** Converts what its user asked for, and returns the explanation of the receipt. */
  async convert(): Promise<Answer> {
    const sign = await this.prepare()
    const sent = await this.#use(this.#findByInput('signedTransaction', await sign()))
    const track = this.#find(/Track it with (\w+)/.exec(sent.text)?.[1])
    while ((await this.#use(track)).data['status'] === 'pending') await this.#wait({})
    return await this.#use(this.#findByDescription(/^Explains/))
  }

  /** Calls the tools until its wallet has a conversion to execute. Returns the function that signs it. */
  async prepare(): Promise<() => Promise<Fields>> {
    await this.#use(this.#findByDescription(/Start here/))
    const [quoteName] = this.#client.tools.flatMap(({ description = '' }) => {
      return /use (\w+) to convert/.exec(description)?.[1] ?? []
    })
    const quote = this.#find(quoteName)
    await this.#use(quote)
    const build = this.#find(/then call (\w+)/.exec(quote.description ?? '')?.[1])
    let { data } = await this.#use(build)
    const { signature } = data as { readonly signature?: { readonly typedData: object; readonly permit: object } }
    if (signature) {
      const signed = await this.#wallet.signTypedData(signature.typedData)
      this.#facts.set('permit', { ...signature.permit, signature: signed })
      data = (await this.#use(build)).data
    }
    this.#compareTerms(String(data['terms']))
    const built = data
    return async () => await this.#wallet.sign(built)
  }

  /** Asserts that the terms are what its user asked for. */
  #compareTerms(terms: string): void {
    const { amountIn } = this.#request
    const expected = [
      `Pay at most ${amountIn}`,
      this.#facts.get('tokenIn'),
      this.#facts.get('tokenOut'),
      this.#wallet.address,
    ]
    const missing = expected.filter((part) => !terms.includes(String(part)))
    if (missing.length > 0) throw new Error(`The terms "${terms}" lack ${missing.join(', ')}`)
  }

  /** Calls a tool until it answers without an error. */
  async #use(tool: Tool): Promise<Answer> {
    for (;;) {
      this.calls.push(tool.name)
      const answer = await this.#client.call(tool.name, this.#fill(tool)).catch(() => undefined)
      if (answer && !answer.isError) return this.#learn(answer)
      if (answer) await this.#obey(answer)
      // The description says what to do, and that a repeated call is safe.
      else await this.#use(this.#find(/If the answer is lost.*?call (\w+)/.exec(tool.description ?? '')?.[1]))
    }
  }

  /** Does what an error says before the call is repeated. @throws `Error` if it says that a repetition fails */
  async #obey({ text, data }: Answer): Promise<void> {
    const { action, retryable, correctedInput } = data
    if (retryable === true && (action === 'wait' || action === 'retry')) return await this.#wait(data)
    if (correctedInput === undefined) throw new Error(`The agent gives up: ${text}`)
    for (const [name, value] of Object.entries(correctedInput as object)) this.#facts.set(name, value)
  }

  /** Returns the input of a tool: its required fields, the fields that the user gave, and the fields that its description names. */
  #fill({ name, description = '', inputSchema }: Tool): object {
    const { properties = {}, required = [] } = inputSchema
    const asked = description
      .split('. ')
      .flatMap((sentence) => /(?:Pass|with) .*`/.exec(sentence)?.[0].split('`') ?? [])
    const wanted = new Set([...required, ...asked, ...ofUser])
    const missing = required.filter((field) => !this.#facts.has(field))
    if (missing.length > 0) throw new Error(`The agent has nothing for ${missing.join(', ')} of ${name}`)
    const fields = Object.keys(properties).filter((field) => wanted.has(field) && this.#facts.has(field))
    return Object.fromEntries(fields.map((field) => [field, this.#facts.get(field)]))
  }

  /** Keeps the fields of an answer except what its user decides, and the addresses of the tokens that its user named. */
  #learn(answer: Answer): Answer {
    for (const [name, value] of Object.entries(answer.data)) {
      if (!ofUser.has(name)) this.#facts.set(name, value)
    }
    const { tokens = [] } = ((answer.data['chains'] ?? []) as readonly { readonly tokens: readonly Token[] }[])[0] ?? {}
    for (const { symbol, address } of tokens) {
      if (symbol === this.#request.from) this.#facts.set('tokenIn', address)
      if (symbol === this.#request.to) this.#facts.set('tokenOut', address)
    }
    return answer
  }

  #find(name: string | undefined): Tool {
    const found = this.#client.tools.find((tool) => tool.name === name)
    if (!found) throw new Error(`The agent finds no tool ${name}`)
    return found
  }

  #findByDescription(pattern: RegExp): Tool {
    return this.#find(this.#client.tools.find(({ description = '' }) => pattern.test(description))?.name)
  }

  /** Returns the tool that requires a field, once the agent has the facts for it. */
  #findByInput(field: string, facts: Fields): Tool {
    for (const [name, value] of Object.entries(facts)) this.#facts.set(name, value)
    return this.#find(this.#client.tools.find(({ inputSchema }) => inputSchema.required?.includes(field))?.name)
  }
}

export declare namespace ScriptedAgent {
  type Options = {
    readonly request: ConversionRequest
    readonly wallet: AgentWallet
    /** Waits as an error says. */
    readonly wait: (error: Fields) => Promise<void>
  }
}

type Token = { readonly symbol: string; readonly address: string }

/** The request of a user: "convert 100 tAUD to tUSD". */
type ConversionRequest = Readonly<Record<'amountIn' | 'from' | 'to', string>>

/** The wallet of the person. */
type AgentWallet = {
  readonly address: string
  signTypedData(typedData: unknown): Promise<string>
  /** Signs the only call of a built conversion. Returns the signed transaction and its hash. */
  sign(built: Fields): Promise<Fields>
}
