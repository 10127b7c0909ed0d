import { Link } from 'wouter'

/** A link to the receipt of a transaction. */
export function ReceiptLink({ transactionHash, chainId }: ReceiptLink.Props) {
  return <Link href={`/receipt/${transactionHash}?chain=${chainId}`}>Receipt</Link>
}

export declare namespace ReceiptLink {
  type Props = { readonly transactionHash: string; readonly chainId: number }
}
