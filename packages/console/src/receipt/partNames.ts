/** The names of the rows of a waterfall. */
export const partNames = {
  oracle: 'Oracles’ amount',
  priceMove: 'Price move',
  impact: 'Impact',
  fee: 'Fee',
  rounding: 'Rounding',
  received: 'Received',
} as const
