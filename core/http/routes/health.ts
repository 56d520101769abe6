import type { ConsoleRoute } from '../route.ts';

interface HealthRouteDependencies {
  /** Whether calls can be served: database reachable, options loaded, not stopping. */
  ready(): Promise<boolean>;
}

/** `/healthz`: the process lives (no database). `/readyz`: it can serve. Neither gives details to strangers. */
export function healthRoutes({ ready }: HealthRouteDependencies): ConsoleRoute[] {
  return [
    { method: 'GET', path: '/healthz', access: 'public', handler: () => ({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      access: 'public',
      handler: async (_request, reply) => {
        const isReady = await ready();
        return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
      },
    },
  ];
}
