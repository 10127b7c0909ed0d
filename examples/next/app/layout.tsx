import '@agio/react/convert.css'
import type { ReactNode } from 'react'

export const metadata = { title: 'Convert with Next.js' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
