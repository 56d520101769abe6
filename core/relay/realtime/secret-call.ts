import { AppError } from '../../errors/app-error.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { randomAlphanumerics } from '../../lib/random-key.ts';
import type { Caller } from '../../services/caller.ts';
import type { Pricing } from '../../services/pricing/pricing.ts';
import type { RealtimeSecretService } from '../../services/realtime-secret.ts';
import type { Routing } from '../../services/routing.ts';
import { readSecretRequest, type SecretForm, writeSecretResponse } from '../../wire/realtime/client-secret.ts';
import { readClientEvent } from '../../wire/realtime/read-client-event.ts';
import { admit } from '../admit.ts';
import { findPrice } from '../meter/quote.ts';
import { reasonOf } from './client-gate.ts';
import { furtherPrice } from './further-price.ts';
import { settingsEvent } from './settings-event.ts';

interface SecretCallDependencies {
  routing: Routing;
  pricing: Pick<Pricing, 'find'>;
  secrets: Pick<RealtimeSecretService, 'issue'>;
}

/**
 * Gives out secrets of our own, never an upstream's: with one of those a browser would talk past us, and nothing it says would be
 * paid for. What the session would be refused for is refused here, where the server that asks can read it.
 */
export function createSecretCalls({ routing, pricing, secrets }: SecretCallDependencies) {
  return {
    async issue(caller: Caller, body: JsonObject, form: SecretForm): Promise<JsonObject> {
      const { model, settings, lifeSeconds } = readSecretRequest(body, form);
      admit(caller, model, routing);
      findPrice(pricing, model, caller.group);
      for (const further of transcriptionModels(settings)) furtherPrice(pricing, caller, further);
      const issued = await secrets.issue(caller, { model, settings, isBeta: form === 'beta' }, lifeSeconds);
      return writeSecretResponse({ ...issued, model, settings, sessionId: `sess_${randomAlphanumerics(21)}` }, form);
    },
  };
}

function transcriptionModels(settings: JsonObject): readonly string[] {
  try {
    const event = readClientEvent(settingsEvent(settings));
    return event.kind === 'settings' ? event.facts.transcriptionModels : [];
  } catch (error) {
    if (error instanceof JsonScanError) throw new AppError('body.invalid', { reason: reasonOf(error) });
    throw error;
  }
}
