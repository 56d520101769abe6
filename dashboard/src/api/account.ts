import type { OauthProvider } from '../../../core/schemas/outside-sign-in.ts';
import { sessionUser } from '../state/session.ts';
import { api } from './client.ts';
import type { SignInResponse } from './session.ts';

/** The ways to an account, or back to one. */
export const register = (fields: Record<string, unknown>, turnstile: string) =>
  api.post('/api/user/register', fields, { query: { turnstile } });

export const sendVerificationCode = (email: string, turnstile: string) =>
  api.get('/api/verification', { query: { email, turnstile } });

export const requestReset = (email: string, turnstile: string) =>
  api.get('/api/reset_password', { query: { email, turnstile } });

/** Returns the new password. */
export const completeReset = (email: string, token: string) => api.post<string>('/api/user/reset', { email, token });

export const setUp = (fields: Record<string, unknown>) => api.post('/api/setup', fields);

/** The whole address of a provider's authorization page. */
export const outsideAddress = (provider: OauthProvider, aff: string) =>
  api.get<string>('/api/oauth/authorization', { query: { provider, aff } });

/** Resolves with the signed-in user; with undefined when an account was linked to the user who was already signed in. */
export async function finishOutside(provider: string, address: URLSearchParams): Promise<SignInResponse | undefined> {
  const isBound = provider === 'telegram' && sessionUser.get() !== undefined;
  const known = provider === 'telegram' ? telegramFields : oauthFields;
  const given = known.map((name) => [name, address.get(name) ?? undefined]);
  const query = Object.fromEntries(given);
  if (isBound) return api.get('/api/oauth/telegram/bind', { query });
  const path = provider === 'telegram' ? '/api/oauth/telegram/login' : `/api/oauth/${provider}`;
  const { message, data } = await api.whole<SignInResponse>(path, { query });
  return message === 'bind' ? undefined : data;
}

const oauthFields = ['code', 'state', 'error', 'error_description'];
const telegramFields = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash', 'lang'];

export const signInByWeChat = (code: string) => api.get<SignInResponse>('/api/oauth/wechat', { query: { code } });
export const bindWeChat = (code: string) => api.get('/api/oauth/wechat/bind', { query: { code } });
