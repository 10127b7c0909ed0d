import { type Finality, isInChain, nameFinality, toConversionTitle, toOutlook } from '@agio/react/internal'
import { useState } from 'react'
import { Link } from 'wouter'
import { useNetworks } from '../settings/network.ts'
import { Amount } from '../amount/Amount.tsx'
import { type PageConversion, useConversions, useFinalityOf } from '../convert/conversions/conversions.ts'
import { toBadge } from '../convert/conversions/toBadge.ts'
import { Age } from '../time/Age.tsx'
import { Badge, Notice } from '../ui/Notice.tsx'
import { CsvButton } from '../ui/Button.tsx'
import { SelectField } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { type Filter, filters, findHash, isListed, toActivityRows } from './activity.ts'
import styles from './receipt.module.css'

/** Lists all conversions of this browser, newest first, with their state and finality. */
export function ActivityTable() {
  const conversions = useConversions((state) => state.conversions)
  const [filter, setFilter] = useState<Filter>('all')
  const listed = conversions.filter((conversion) => isListed(conversion, filter))
  if (conversions.length === 0) {
    return (
      <Notice title="No conversions in this browser yet">
        <Link href="/">Convert</Link> something, or paste the hash of any conversion above to see its receipt.
      </Notice>
    )
  }
  return (
    <Panel
      title="Conversions"
      actions={
        <CsvButton name="agio-conversions.csv" rows={toActivityRows(listed)}>
          Export as CSV
        </CsvButton>
      }
    >
      <SelectField
        label="State"
        isLabelHidden
        value={filter}
        onChange={({ target }) => setFilter(target.value as Filter)}
      >
        {Object.entries(filters).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      {listed.length === 0 && <p className="note">No conversion has this state.</p>}
      {listed.length > 0 && (
        <table className={styles['activity']}>
          <caption className="visually-hidden">The conversions of this browser</caption>
          <thead>
            <tr>
              <th scope="col">Conversion</th>
              <th scope="col">Received</th>
              <th scope="col">State</th>
              <th scope="col">Network</th>
              <th scope="col">Time</th>
              <th scope="col">Receipt</th>
            </tr>
          </thead>
          <tbody>
            {listed.map((conversion) => (
              <Row key={conversion.id} conversion={conversion} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

function Row({ conversion }: { readonly conversion: PageConversion }) {
  const { nameOfChain } = useNetworks()
  const { quote, steps } = conversion
  const outlook = toOutlook(conversion)
  const step = steps.at(-1)
  const finality = useFinalityOf(step, outlook)
  const hash = findHash(conversion)
  return (
    <tr>
      <th scope="row">{toConversionTitle(quote)}</th>
      <td data-label="Received">
        {outlook.kind === 'done' && <Amount value={outlook.receipt.amountOut} symbol={quote.tokenOut.symbol} />}
      </td>
      <td data-label="State">
        <State badge={toBadge(outlook, finality)} finality={finality} />
      </td>
      <td data-label="Network">{nameOfChain(quote.chainId)}</td>
      <td data-label="Time">{step && <Age at={step.at} />}</td>
      <td data-label="Receipt">
        {hash !== undefined && <Link href={`/receipt/${hash}?chain=${quote.chainId}`}>Receipt</Link>}
      </td>
    </tr>
  )
}

function State({
  badge,
  finality,
}: {
  readonly badge: ReturnType<typeof toBadge>
  readonly finality: Finality | undefined
}) {
  return (
    <>
      <Badge tone={badge.tone}>{badge.text}</Badge>{' '}
      {finality && isInChain(finality) && <span className="note">{nameFinality(finality)}</span>}
    </>
  )
}
