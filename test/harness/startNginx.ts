import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from './findFreePort.ts'
import { getBinary } from './findServices.ts'
import { killOnExit } from './killOnExit.ts'

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
  const folder = await mkdtemp(join(tmpdir(), 'agio-nginx-'))
  const file = join(folder, 'nginx.conf')
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const lines = [
    'daemon off; master_process off;',
    `pid ${folder}/pid; error_log ${folder}/error.log;`,
    `events {} http { access_log off; ${folders.join(' ')}`,
    `server { listen 127.0.0.1:${port}; location ${prefix}/ {`,
    `proxy_pass ${serviceUrl}/; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_read_timeout 1h; } } }`,
  ]
  await writeFile(file, lines.join('\n'))
  const nginx = spawn(getBinary('nginx'), ['-e', `${folder}/error.log`, '-c', file], { stdio: 'ignore' })
  killOnExit(nginx)
  const exited = once(nginx, 'exit')
  const url = `http://127.0.0.1:${port}`
  while (nginx.exitCode === null && !(await fetch(url).catch(() => undefined))) await wait(20)
  if (nginx.exitCode !== null) throw new Error('Cannot start nginx: it exited before it was ready')
  return {
    url,
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
