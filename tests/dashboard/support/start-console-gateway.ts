import type { AppOptions } from '../../../core/app.ts';
import type { GatewayOptions } from '../../../core/gateway.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

/** A gateway with the limits that are shipped; it believes the test's browser which address a visit comes from. */
export const startConsoleGateway = (
  environment: Record<string, string> = {},
  options: GatewayOptions & AppOptions = {},
): Promise<TestGateway> =>
  startGateway(
    'sqlite',
    { GLOBAL_API_RATE_LIMIT_ENABLE: 'true', TRUSTED_PROXIES: '127.0.0.1', ...environment },
    { criticalCalls: 20, ...options },
  );
