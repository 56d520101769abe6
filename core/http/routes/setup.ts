import { setupSchema, setupStateSchema, setupStepsSchema } from '../../schemas/setup.ts';
import type { SetupService } from '../../services/account/setup.ts';
import { refuseForeignPage } from '../cookie/session-cookie.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

const setupBodyBytes = 8 * 1024;

/** The first minute of an installation (console reference, 4.3). */
export function setupRoutes({ setup }: { setup: SetupService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/setup',
      access: 'public',
      response: responses.data(setupStateSchema),
      handle: () => setup.state(),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/setup/steps',
      access: 'root',
      response: responses.data(setupStepsSchema),
      handle: ({ actor }) => setup.steps(actor),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/setup',
      access: 'public',
      rate: 'critical',
      bodyLimit: setupBodyBytes,
      body: setupSchema,
      response: responses.empty,
      async handle({ body, headers, caller }) {
        refuseForeignPage(headers);
        await setup.run(body, caller.address);
      },
    }),
  ];
}
