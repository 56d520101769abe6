import type { IncomingHttpHeaders } from 'node:http';
import { parse, serialize } from 'cookie';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { OptionService } from '../../services/option/option.ts';
import type { HumanCheck, HumanCheckResult } from '../../services/sign-in/human-check.ts';
import { isHttps } from '../cookie/session-cookie.ts';

/** Of every route that asks for a person: the widget's token. */
export const humanCheckQuery = z.object({ turnstile: z.string().max(2048).default('') });

interface CheckedCall {
  query: { turnstile: string };
  caller: { address: string };
  headers: IncomingHttpHeaders;
  reply: FastifyReply;
}

export interface HumanCheckServices {
  humanCheck: HumanCheck;
  options: Pick<OptionService, 'get'>;
}

const cookieName = 'human';

/** Asks for a person where the option says so; the browser keeps the pass for as long as it is open. */
export async function requireHuman(
  { humanCheck, options }: HumanCheckServices,
  { query, caller, headers, reply }: CheckedCall,
): Promise<HumanCheckResult> {
  const known = headers.cookie ? parse(headers.cookie)[cookieName] : undefined;
  const result = await humanCheck.require({ token: query.turnstile, address: caller.address, pass: known });
  if (result.pass !== undefined) {
    const attributes = { httpOnly: true, sameSite: 'strict', path: '/api', secure: isHttps(options) } as const;
    reply.header('set-cookie', serialize(cookieName, result.pass, attributes));
  }
  return result;
}
