/** The fastest possible Node server: one answer to every request. `bare.mjs PORT BODY` */
import { createServer } from 'node:http'

const [port, body] = process.argv.slice(2)
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
createServer((message, response) => {
  // Reads the body to its end, as every server must.
  message.resume()
  message.on('end', () => {
    response.writeHead(200, headers)
    response.end(body)
  })
}).listen(Number(port), '127.0.0.1')
