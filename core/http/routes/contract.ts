import { z } from 'zod';
import { version } from '../../version.ts';
import { keepAnswer, type PackedAnswer, sendKept } from '../console/kept-response.ts';
import { writeOpenApi } from '../console/openapi.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

/** The contract of all console routes, this one included. */
export function withContract(routes: ConsoleRoute[]): ConsoleRoute[] {
  // Written at the first reading: hundreds of schemas, and most processes are never asked.
  let contract: PackedAnswer | undefined;
  const all: ConsoleRoute[] = [...routes];
  all.push(
    consoleRoute({
      method: 'GET',
      path: '/api/openapi.json',
      access: 'public',
      answer: answers.whole(z.record(z.string(), z.unknown())),
      handle({ headers, reply }) {
        contract ??= keepAnswer(writeOpenApi(all, version));
        return sendKept(contract, headers, reply);
      },
    }),
  );
  return all;
}
