/** What a request is counted as that calls nothing there is. */
export const unknownOperation = 'unknown'
