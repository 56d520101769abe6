import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';

/** The floor for any gateway in Node: node:http in front, undici `Pool.dispatch` behind, nothing between. */
const pool = new Pool(process.argv[2] ?? '', { connections: null, pipelining: 1, keepAliveTimeout: 60_000 });

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const headers = {
      'content-type': request.headers['content-type'] ?? '',
      authorization: request.headers.authorization ?? '',
    };
    const body = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    pool.dispatch({ path: request.url ?? '/', method: 'POST', headers, body }, forward(response));
  });
});

function forward(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      response.on('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the caller left'));
      });
    },
    onResponseStart(
      _controller,
      status,
      { connection, 'keep-alive': _keepAlive, 'transfer-encoding': _coding, ...headers },
    ) {
      response.writeHead(status, headers);
    },
    onResponseData(controller, chunk) {
      if (response.write(chunk)) return;
      controller.pause();
      response.once('drain', () => controller.resume());
    },
    onResponseEnd() {
      response.end();
    },
    onResponseError() {
      response.destroy();
    },
  };
}

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
