import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { Pool } from 'undici';

/** A pass-through as most people would write it: fastify in front, undici's `request` behind, nothing between. */
const pool = new Pool(process.argv[2] ?? '', { connections: null, pipelining: 1, keepAliveTimeout: 60_000 });
const server = fastify({ keepAliveTimeout: 120_000 });

server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
server.post('/*', async (request, reply) => {
  const { statusCode, headers, body } = await pool.request({
    path: request.url,
    method: 'POST',
    headers: {
      'content-type': request.headers['content-type'] ?? '',
      authorization: request.headers.authorization ?? '',
    },
    body: request.body as Buffer,
  });
  const { connection, 'keep-alive': _keepAlive, 'transfer-encoding': _coding, ...passed } = headers;
  return reply.code(statusCode).headers(passed).send(body);
});

await server.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (server.server.address() as AddressInfo).port });
process.on('disconnect', () => process.exit());
