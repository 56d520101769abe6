import { AppError } from '../../errors/app-error.ts';

export interface TencentKey {
  secretId: string;
  secretKey: string;
}

/** The application's id is a number that the newer interface has no use for. */
export function readTencentKey(key: string): TencentKey {
  const parts = key.split('|').map((part) => part.trim());
  const [appId = '', secretId = '', secretKey = ''] = parts;
  if (parts.length !== 3 || !/^\d+$/.test(appId) || secretId === '' || secretKey === '')
    throw new AppError('provider.keyForm', { form: 'AppId|SecretId|SecretKey' });
  return { secretId, secretKey };
}
