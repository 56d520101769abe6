import { AppError } from '../../errors/app-error.ts';
import { isJsonObject, textOf } from '../../lib/json-value.ts';
import type { UpstreamCredential } from '../adapter.ts';

/** A service account, or an API key of the express mode, which reaches Google's own models alone. */
export type VertexKey =
  | { kind: 'account'; project: string; credential: UpstreamCredential }
  | { kind: 'express'; key: string };

const defaultTokenUri = 'https://oauth2.googleapis.com/token';

export function readVertexKey(key: string): VertexKey {
  if (/^(AIza|AQ\.)[\w.-]+$/.test(key)) return { kind: 'express', key };
  const account = parse(key);
  if (!isJsonObject(account) || account.type !== 'service_account') throw wrongForm();
  const project = textOf(account.project_id);
  const clientEmail = textOf(account.client_email);
  // Keys that went through a form or an environment have their line breaks written out.
  const privateKey = textOf(account.private_key).replaceAll('\\n', '\n');
  if (project === '' || clientEmail === '' || privateKey === '') throw wrongForm();
  const keyId = textOf(account.private_key_id);
  const tokenUri = textOf(account.token_uri) || defaultTokenUri;
  const credential = { kind: 'google', clientEmail, privateKey, ...(keyId && { keyId }), tokenUri } as const;
  return { kind: 'account', project, credential };
}

/** Undefined when it is not JSON, which is refused with the rest. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrongForm(): AppError {
  const form = '{"type":"service_account","project_id":...,"client_email":...,"private_key":...}';
  return new AppError('provider.keyForm', { form });
}
