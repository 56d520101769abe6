import { z } from 'zod';
import type { Outbound } from '../outbound/outbound.ts';
import { openProviderCall } from '../provider-call.ts';
import type { SignInEndpoints } from '../sign-in-endpoint.ts';

export interface TurnstileDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  endpoints: Pick<SignInEndpoints, 'turnstile'>;
  secret(): string;
}

export interface Turnstile {
  /** Whether the widget's token is good; each is, once, for five minutes. */
  verify(token: string, address: string): Promise<boolean>;
}

const maxTokenLength = 2048;

const responseSchema = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

export function createTurnstile({ outbound, endpoints, secret }: TurnstileDependencies): Turnstile {
  return {
    async verify(token, address) {
      if (token === '' || token.length > maxTokenLength || secret() === '') return false;
      const call = openProviderCall({ outbound, provider: 'Turnstile', profile: 'operator' });
      const ask = () =>
        call(`${endpoints.turnstile}/turnstile/v0/siteverify`, {
          method: 'POST',
          form: { secret: secret(), response: token, ...(address && { remoteip: address }) },
          response: responseSchema,
        });
      const first = await ask();
      // The service asks for a second try in this one case.
      const response = !first.success && first['error-codes'].includes('internal-error') ? await ask() : first;
      return response.success;
    },
  };
}
