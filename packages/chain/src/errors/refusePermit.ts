import { ServiceError, type PermitRefusal } from '@agio/core'

/** Returns `svc/invalid-permit` for a reason. */
export function refusePermit(reason: PermitRefusal): ServiceError<'svc/invalid-permit'> {
  return new ServiceError('svc/invalid-permit', `Cannot pay by the signature: ${states[reason]}`, { reason })
}

const states: Readonly<Record<PermitRefusal, string>> = {
  signer:
    'the account has not signed these terms, or the signature is malformed or rejected by the code of the account',
  deadline: 'its deadline has passed',
  nonce: 'it is for another nonce, or its nonce has been used',
  domain: 'it is for another token, contract or network, or the token accepts no permits',
  amount: 'it is for less than the conversion may take, or for another amount than was signed',
}
