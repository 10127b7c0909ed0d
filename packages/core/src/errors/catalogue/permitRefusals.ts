/** The meaning of each `reason` of `svc/invalid-permit`. */
export const permitRefusals = {
  signer:
    'Another account or other terms were signed, the signature is malformed or malleable, or the code of the account rejects it',
  deadline: 'The deadline of the permit has passed. For Permit2, the deadline differs from the expiry of the quote',
  nonce: 'The permit was signed for another nonce, or its nonce has been used',
  domain:
    'The permit was signed for another token, contract or network, or the token or the called contract does not accept permits',
  amount: 'The permitted amount is less than the conversion may take, or differs from the signed amount',
} as const satisfies Record<string, string>

/** The reason why a signature cannot pay a conversion. */
export type PermitRefusal = keyof typeof permitRefusals
