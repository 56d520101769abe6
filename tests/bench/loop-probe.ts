import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded into the measured server itself, which nothing outside can look into: the longest block of its event loop since the last look. */
if (process.argv[2] === 'serve') {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const server = createServer((_request, response) => {
    const milliseconds = delay.max / 1e6;
    delay.reset();
    response.end(String(milliseconds));
  });
  server.listen(Number(process.env.BENCH_PROBE_PORT), '127.0.0.1');
  server.unref();
}
