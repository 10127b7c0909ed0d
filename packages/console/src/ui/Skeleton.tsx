import styles from './Skeleton.module.css'

/** The place of a text that is loading; `label` says what, to those who do not see it. */
export function Skeleton({ width = '6rem', label }: { readonly width?: string; readonly label?: string }) {
  return (
    <span className={styles['skeleton']} style={{ width }}>
      {label !== undefined && <output className="visually-hidden">{label}</output>}
    </span>
  )
}
