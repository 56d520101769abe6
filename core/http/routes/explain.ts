import type { Explain } from '../../relay/explain/explain.ts';
import { explanationView } from '../../relay/explain/explanation-view.ts';
import { explainSchema, explanationSchema } from '../../schemas/explain.ts';
import { explainedCall } from '../relay/explained-call.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

const bodyBytes = 1024 * 1024;

export function explainRoutes({ explain }: { explain: Explain }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'POST',
      path: '/api/explain',
      access: 'admin',
      bodyLimit: bodyBytes,
      body: explainSchema,
      response: responses.data(explanationSchema),
      handle: async ({ body, language }) => explanationView(await explain(await explainedCall(body)), language),
    }),
  ];
}
