import { findFreePort } from './findFreePort.ts'
import { startConfigured } from './startConfigured.ts'

/**
 * Starts nginx, which serves a service below a path prefix, and nothing else.
 *
 * @param prefix starts with a slash and ends without one
 */
export async function startNginx(
  serviceUrl: string,
  prefix: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const toFolders = (folder: string) =>
    ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  const nginx = await startConfigured('nginx', {
    toConfig: (folder) => [
      'daemon off; master_process off;',
      `pid ${folder}/pid; error_log ${folder}/error.log;`,
      `events {} http { access_log off; ${toFolders(folder)}`,
      `server { listen 127.0.0.1:${port}; location ${prefix}/ {`,
      `proxy_pass ${serviceUrl}/; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_read_timeout 1h; } } }`,
    ],
    toArguments: (file, folder) => ['-e', `${folder}/error.log`, '-c', file],
    isReady: async () =>
      await fetch(url).then(
        () => true,
        () => false,
      ),
  })
  return { url, ...nginx }
}
