import { z } from 'zod';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface HealthRouteDependencies {
  /** Whether calls can be served: database reachable, options loaded, not stopping. */
  ready(): Promise<boolean>;
}

/** `/healthz`: the process lives (no database). `/readyz`: it can serve. Neither gives details to strangers. */
export function healthRoutes({ ready }: HealthRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/healthz',
      access: 'public',
      rate: 'none',
      response: responses.whole(z.object({ status: z.literal('ok') })),
      handle: () => ({ status: 'ok' }),
    }),
    consoleRoute({
      method: 'GET',
      path: '/readyz',
      access: 'public',
      rate: 'none',
      response: responses.whole(z.object({ status: z.enum(['ready', 'not ready']) })),
      async handle({ reply }) {
        const isReady = await ready();
        reply.code(isReady ? 200 : 503);
        return { status: isReady ? 'ready' : 'not ready' };
      },
    }),
  ];
}
