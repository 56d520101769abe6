import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.ts';
import { isLoopback } from '../../integrations/outbound/ip-class.ts';
import { metricsContentType } from '../../integrations/prometheus/metrics.ts';
import { forwardingHeaderOf, isNearName } from '../local-call.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface MetricsRouteDependencies {
  /** METRICS_TOKEN. */
  token: string | undefined;
  text(): Promise<string>;
}

/** Metrics for Prometheus, for callers with the token or on this machine (experience, 5). */
export function metricsRoutes({ token, text }: MetricsRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/metrics',
      access: 'metrics',
      rate: 'none',
      response: responses.text,
      async handle({ headers, reply }) {
        if (!isLocal(reply.request.raw) && !hasToken(headers.authorization, token))
          throw new AppError('metrics.refused');
        reply.header('content-type', metricsContentType);
        return text();
      },
    }),
  ];
}

/**
 * By the socket, whatever proxies are trusted. A page of a stranger in a browser on this machine comes from here, too: under its own
 * name, once that name means 127.0.0.1.
 */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isDirect = isLoopback(socket.remoteAddress ?? '') && forwardingHeaderOf(headers) === undefined;
  return isDirect && isNearName(headers.host);
}

function hasToken(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined || authorization === undefined) return false;
  // Hashes have one length, so that the comparison tells nothing.
  return timingSafeEqual(hash(authorization), hash(`Bearer ${token}`));
}

const hash = (text: string) => createHash('sha256').update(text).digest();
