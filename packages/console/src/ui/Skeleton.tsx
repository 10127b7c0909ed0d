import styles from './ui.module.css'

/** A placeholder for a loading text. `label` names the text for screen readers. */
export function Skeleton({ width = '6rem', label }: { readonly width?: string; readonly label?: string }) {
  return (
    <span className={styles['skeleton']} style={{ width }}>
      {label !== undefined && <output className="visually-hidden">{label}</output>}
    </span>
  )
}
