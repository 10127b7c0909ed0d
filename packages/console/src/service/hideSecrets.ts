// Also a part of one: a body that is cut may end within it.
const keyPattern = /agio_[\w-]{12,}/g
const keyField = /"key"(\s*):(\s*)"[^"]*"?/g

/** Replaces the secrets of keys in a body by `agio_…`. The secret of an issued key is shown once, where it was issued. */
export function hideSecrets(procedure: string, text: string): string {
  const hidden = text.replaceAll(keyPattern, 'agio_…')
  return procedure.startsWith('admin.keys.') ? hidden.replaceAll(keyField, '"key"$1:$2"agio_…"') : hidden
}
