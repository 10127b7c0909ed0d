/** What each `reason` of `svc/invalid-permit` means. */
export const permitRefusals = {
  signer:
    'Another account signed, other terms were signed, the signature is malformed or malleable, or the code of the account rejects it',
  deadline: 'The deadline of the permit is before the newest block, or for Permit2 not the expiry of the quote',
  nonce: 'The permit was signed for another nonce, or its nonce has been used',
  domain:
    'The permit was signed for another token, contract or network, or the token or the called contract accepts no permits',
  amount: 'The permit is for less than the conversion may take, or for another amount than was signed',
} as const satisfies Record<string, string>

/** What is wrong with a signature that pays a conversion. */
export type PermitRefusal = keyof typeof permitRefusals
