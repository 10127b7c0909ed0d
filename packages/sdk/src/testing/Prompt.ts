import { errorCodes, ProviderError } from './ProviderError.ts'

/** A question that the wallet has shown to its user. */
export type Prompt = {
  readonly method:
    | 'eth_requestAccounts'
    | 'eth_sendTransaction'
    | 'eth_signTypedData_v4'
    | 'wallet_switchEthereumChain'
    | 'wallet_sendCalls'
  readonly params: readonly unknown[]
  /** The account and the chain of the wallet at that time. */
  readonly account: `0x${string}`
  readonly chainId: number
}

/** What the user answers. `reject-upgrade` refuses the code that the account needs for its first batch. */
export type Decision = 'confirm' | 'reject' | 'reject-upgrade'

/** Answers all prompts alike, or each on its own. What a function throws, the request of the application fails with. */
export type Decide = Decision | ((prompt: Prompt) => Decision | Promise<Decision>)

/** Creates the user of a wallet, who confirms everything until told otherwise. */
export function createUser(): User {
  const prompts: Prompt[] = []
  let decide: Decide = 'confirm'
  return {
    prompts,
    answer: (next) => {
      decide = next
    },
    async confirm(prompt) {
      prompts.push(prompt)
      const decision = typeof decide === 'function' ? await decide(prompt) : decide
      if (decision === 'reject') throw new ProviderError(errorCodes.rejected, 'User rejected the request.')
      if (decision === 'reject-upgrade') {
        throw new ProviderError(errorCodes.upgradeRejected, 'User rejected the upgrade of the account.')
      }
    },
  }
}

export type User = {
  readonly prompts: readonly Prompt[]
  answer(decide: Decide): void
  /** Shows a prompt until it is confirmed. @throws {ProviderError} 4001, or 5750, if the user refuses */
  confirm(prompt: Prompt): Promise<void>
}
