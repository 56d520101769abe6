import { AppError } from '../../errors/app-error.ts';

/** `{id}.{secret}`, of which tokens are made. */
export interface ZhipuKey {
  id: string;
  secret: string;
}

/** Throws for a key that is not of two parts; the newer interface also takes one as it is. */
export function readZhipuKey(key: string): ZhipuKey {
  const [id, secret, ...rest] = key.trim().split('.');
  if (!id || !secret || rest.length > 0) throw new AppError('provider.keyForm', { form: '{id}.{secret}' });
  return { id, secret };
}
