/** What failed, with the exit code of the `agio` command. The service returns no `wallet` and `unknown` errors. */
export const errorClasses = {
  input: { exitCode: 2, meaning: 'The request or the command line is wrong. Correct it' },
  market: {
    exitCode: 3,
    meaning: 'The market or the pools refuse the conversion at these terms, or the quote has expired',
  },
  funds: { exitCode: 4, meaning: 'The account lacks tokens, gas or an allowance' },
  upstream: { exitCode: 5, meaning: 'The service, its nodes or its database do not respond as they should. Try again' },
  limit: { exitCode: 6, meaning: 'A limit is reached. Wait' },
  wallet: { exitCode: 7, meaning: 'The signer failed or refused. Nothing was sent' },
  authentication: { exitCode: 8, meaning: 'The API key is missing, unknown or revoked' },
  unknown: {
    exitCode: 9,
    meaning: 'A transaction was sent or may have been sent, and its outcome is unknown. Resume, do not start again',
  },
} as const satisfies Readonly<Record<string, { readonly exitCode: number; readonly meaning: string }>>

/** The class of an error. */
export type ErrorClass = keyof typeof errorClasses
