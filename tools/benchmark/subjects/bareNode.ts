// A node:http server that returns a constant response: the lower bound.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { previewAnswer } from './previewAnswer.ts'

const text = JSON.stringify({ success: true, data: previewAnswer })

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`))
