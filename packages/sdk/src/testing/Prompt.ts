import { errorCodes, ProviderError } from './ProviderError.ts'

/** A prompt that the wallet has shown to its user. */
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

/** The decision of the user. `reject-upgrade` rejects the code that the account needs for its first batch. */
export type Decision = 'confirm' | 'reject' | 'reject-upgrade'

/**
 * One decision for all prompts, or a function that decides each prompt. If the function throws, the request fails with
 * the same error.
 */
export type Decide = Decision | ((prompt: Prompt) => Decision | Promise<Decision>)

/** Creates the user of a wallet. The user confirms everything by default. */
export function createUser() {
  const prompts: Prompt[] = []
  let decide: Decide = 'confirm'
  return {
    /** All prompts, oldest first. */
    prompts,
    /** Sets the decision for later prompts. */
    answer: (next: Decide) => {
      decide = next
    },
    /** Shows a prompt until it is confirmed. @throws {ProviderError} 4001 or 5750 if the user rejects it */
    async confirm(prompt: Prompt): Promise<void> {
      prompts.push(prompt)
      const decision = typeof decide === 'function' ? await decide(prompt) : decide
      if (decision === 'reject') throw new ProviderError(errorCodes.rejected, 'User rejected the request.')
      if (decision === 'reject-upgrade') {
        throw new ProviderError(errorCodes.upgradeRejected, 'User rejected the upgrade of the account.')
      }
    },
  }
}

/** The user of a test wallet: decides each prompt. */
export type User = ReturnType<typeof createUser>
