import type { RequestFields } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { readModel, wrong } from '../request-field.ts';

/** The two interfaces in which a server asks for a secret that its browsers may use. */
export type SecretForm = 'ga' | 'beta';

export interface SecretRequest {
  model: string;
  /** Everything else of the session object, as a `session.update` takes it. */
  settings: JsonObject;
  lifeSeconds: number;
}

interface IssuedSecret extends Pick<SecretRequest, 'model' | 'settings'> {
  value: string;
  expiresAtSeconds: number;
  sessionId: string;
}

/** OpenAI's bounds and default. */
const life = { minimum: 10, maximum: 7200, unset: 600 } as const;

/** The body of `client_secrets` (`session`, `expires_after`), or of the beta's `sessions`, which is a session object itself. */
export function readSecretRequest(body: JsonObject, form: SecretForm): SecretRequest {
  const { client_secret: secret, ...flat } = body;
  const place = form === 'ga' ? 'session.' : '';
  const session = form === 'ga' ? objectOf(body.session, 'session') : flat;
  const expiry = form === 'ga' ? body.expires_after : objectOf(secret, 'client_secret').expires_after;
  if (form === 'ga' && session.type !== undefined && session.type !== 'realtime')
    throw wrong('request.notOneOf', 'session.type', { allowed: 'realtime' });
  const { model: _, ...settings } = session;
  return {
    model: modelOf(session, `${place}model`),
    // The interface that took the beta's place wants the kind of session named in each update.
    settings: form === 'ga' ? { ...settings, type: 'realtime' } : settings,
    lifeSeconds: readLife(expiry, form === 'ga' ? 'expires_after' : 'client_secret.expires_after'),
  };
}

export function writeSecretResponse(issued: IssuedSecret, form: SecretForm): JsonObject {
  const { value, expiresAtSeconds: expires_at, settings, model, sessionId: id } = issued;
  const session = { ...settings, object: 'realtime.session', id, model };
  return form === 'ga' ? { value, expires_at, session } : { ...session, client_secret: { value, expires_at } };
}

function readLife(value: unknown, field: string): number {
  const { anchor = 'created_at', seconds } = objectOf(value, field);
  if (anchor !== 'created_at') throw wrong('request.notOneOf', `${field}.anchor`, { allowed: 'created_at' });
  if (seconds === undefined || seconds === null) return life.unset;
  const { minimum, maximum } = life;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < minimum || seconds > maximum)
    throw wrong('request.notInteger', `${field}.seconds`, { minimum, maximum });
  return seconds;
}

function modelOf(session: JsonObject, field: string): string {
  const fields: RequestFields = {
    has: (key) => key in session,
    value: (key) => session[key],
    count: () => undefined,
  };
  try {
    return readModel(fields, undefined);
  } catch (error) {
    // Named by where it stands in the body.
    if (error instanceof AppError) throw new AppError(error.code, { ...error.details, field }, { param: field });
    throw error;
  }
}

/** `null` counts as left out. */
function objectOf(value: unknown, field: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) throw wrong('request.notObject', field);
  return value;
}
