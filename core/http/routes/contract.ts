import { z } from 'zod';
import { version } from '../../version.ts';
import { keepResponse, type PackedResponse, sendKept } from '../console/kept-response.ts';
import { writeOpenApi } from '../console/openapi.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

/** The contract of all console routes, this one included. */
export function withContract(routes: ConsoleRoute[]): ConsoleRoute[] {
  // Written at the first reading: hundreds of schemas, and most processes are never asked.
  let contract: PackedResponse | undefined;
  const all: ConsoleRoute[] = [...routes];
  all.push(
    consoleRoute({
      method: 'GET',
      path: '/api/openapi.json',
      access: 'public',
      response: responses.whole(z.record(z.string(), z.unknown())),
      handle({ headers, reply }) {
        contract ??= keepResponse(writeOpenApi(all, version));
        return sendKept(contract, headers, reply);
      },
    }),
  );
  return all;
}
