// Also matches a part of a key, because a cut body may end inside it.
const keyPattern = /agio_[\w-]{12,}/g
const keyField = /"key"(\s*):(\s*)"[^"]*"?/g

/**
 * Replaces the secrets of keys in a body with `agio_…`. The page shows the secret of a new key only once, in its
 * dialog.
 */
export function hideSecrets(procedure: string, text: string): string {
  const hidden = text.replaceAll(keyPattern, 'agio_…')
  return procedure.startsWith('admin.keys.') ? hidden.replaceAll(keyField, '"key"$1:$2"agio_…"') : hidden
}
