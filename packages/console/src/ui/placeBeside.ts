type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

// The distance to the edges of the page, in pixels.
const margin = 8

/** Returns the place of a box below another one, or above it where there is no room, within the page; in pixels. */
export function placeBeside(
  anchor: Box,
  { width, height }: Pick<Box, 'width' | 'height'>,
  page: Pick<Box, 'width' | 'height'>,
): Pick<Box, 'left' | 'top'> {
  const centred = anchor.left + (anchor.width - width) / 2
  const left = Math.max(margin, Math.min(centred, page.width - width - margin))
  const below = anchor.top + anchor.height
  const top = below + height + margin <= page.height ? below : Math.max(margin, anchor.top - height)
  return { left, top }
}
