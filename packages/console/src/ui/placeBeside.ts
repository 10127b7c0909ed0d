type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

// The minimum distance to the edges of the page in pixels.
const margin = 8

/**
 * Returns the position in pixels for a box below another box, or above it without room below. The position is inside
 * the page.
 */
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
