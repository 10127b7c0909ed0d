import { formatDuration } from '../../time/formatDuration.ts'
import type { SeenBlock } from '../../service/addBlocks.ts'
import styles from './BlockTable.module.css'

/** The most recent blocks, newest first. */
export function BlockTable({ blocks, caption }: { readonly blocks: readonly SeenBlock[]; readonly caption: string }) {
  return (
    <div className={styles['frame']}>
      <table className={styles['blocks']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Block</th>
            <th scope="col">Time</th>
            <th scope="col">Interval</th>
          </tr>
        </thead>
        <tbody>
          {blocks.map((block) => (
            <tr key={`${block.number} ${block.at}`}>
              <td>
                <code>{block.number}</code>
              </td>
              <td>
                <time dateTime={block.at}>{new Date(block.at).toLocaleTimeString()}</time>
              </td>
              <td>{describeInterval(block)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function describeInterval({ blocks, seconds = 0 }: SeenBlock): string {
  if (blocks === undefined) return ''
  if (blocks <= 0) return 'reorganised'
  return `${blocks === 1 ? '1 block' : `${blocks} blocks`} in ${formatDuration(seconds)}`
}
