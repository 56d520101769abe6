import { useMutation, useQuery } from '@tanstack/react-query';
import type { EmailBind, SelfUpdate } from '../../../core/schemas/account.ts';
import type { FreshSession, Session } from '../../../core/schemas/session.ts';
import type { TwoFactorSetup, TwoFactorStatus } from '../../../core/schemas/two-factor.ts';
import type { User } from '../../../core/schemas/user.ts';
import type { UserSetting } from '../../../core/schemas/user-setting.ts';
import { sessionUser } from '../state/session.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

const read = <T>(name: string, path: string, staleTime = 5000) => ({
  queryKey: ['self', name],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.get<T>(path, { signal }),
  staleTime,
});

const readAccount = read<User>('account', '/api/user/self');

/** The own account as it is now; what the browser keeps of it follows: an admin may have changed the role or the group. */
export const useSelf = () =>
  useQuery({
    ...readAccount,
    queryFn: async (context) => {
      const user = await readAccount.queryFn(context);
      follow(user);
      return user;
    },
  });

function follow({ id, username, display_name, role, status, group }: User): void {
  const before = sessionUser.get();
  const now = { id, username, display_name, role, status, group };
  if (before?.id === id && JSON.stringify(before) !== JSON.stringify(now)) sessionUser.set(now);
}

export const useInvitationCode = () => useQuery(read<string>('aff', '/api/user/aff', 60_000));
export const useSessions = () => useQuery(read<Session[]>('sessions', '/api/user/self/sessions'));
export const useTwoFactor = () => useQuery(read<TwoFactorStatus>('2fa', '/api/user/2fa/status'));

/** Whether another way to sign in can be linked without the password: for ten minutes, so it is asked again each minute. */
export const useFreshSession = () => useQuery(read<FreshSession>('fresh', '/api/user/confirm', 60_000));
export const confirmSession = (password: string) => api.post('/api/user/confirm', { password });

const refresh = (name: string) => queryClient.invalidateQueries({ queryKey: ['self', name] });
export const refreshSelf = () => refresh('account');
/** Includes whether the account has a password. */
export const refreshTwoFactor = () => refresh('2fa');

/** What people change about their own account; what is shown of it follows. */
export function useSelfActions() {
  const update = useMutation({
    mutationFn: (fields: SelfUpdate) => api.put('/api/user/self', fields),
    onSuccess: (_response, { password: _password, original_password: _original, ...shown }) => {
      const before = sessionUser.get();
      if (before) sessionUser.set({ ...before, ...definedOf(shown) });
    },
    onSettled: refreshSelf,
  });
  const changeSetting = useMutation({
    mutationFn: (setting: UserSetting) => api.put('/api/user/setting', setting),
    onSettled: refreshSelf,
  });
  const bindEmail = useMutation({
    mutationFn: (mailed: EmailBind) => api.post('/api/oauth/email/bind', mailed),
    onSettled: refreshSelf,
  });
  const createAccessToken = useMutation({
    mutationFn: (password: string) => api.post<string>('/api/user/token', { password }),
  });
  const remove = useMutation({ mutationFn: () => api.delete('/api/user/self') });
  const endSession = useMutation({
    mutationFn: (id: string) => api.delete(`/api/user/self/sessions/${encodeURIComponent(id)}`),
    onSettled: () => refresh('sessions'),
  });
  const endOtherSessions = useMutation({
    mutationFn: () => api.delete<number>('/api/user/self/sessions'),
    onSettled: () => refresh('sessions'),
  });
  return {
    update: update.mutateAsync,
    changeSetting: changeSetting.mutateAsync,
    bindEmail: bindEmail.mutateAsync,
    createAccessToken: createAccessToken.mutateAsync,
    remove: remove.mutateAsync,
    endSession: endSession.mutateAsync,
    endOtherSessions: endOtherSessions.mutateAsync,
  };
}

const definedOf = (fields: Omit<SelfUpdate, 'password' | 'original_password'>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The second step of signing in: a code of an authenticator app. */
export function useTwoFactorActions() {
  const onSettled = () => refresh('2fa');
  const setUp = useMutation({
    mutationFn: (password: string) => api.post<TwoFactorSetup>('/api/user/2fa/setup', { password }),
    onSettled,
  });
  const enable = useMutation({ mutationFn: (code: string) => api.post('/api/user/2fa/enable', { code }), onSettled });
  const disable = useMutation({ mutationFn: (code: string) => api.post('/api/user/2fa/disable', { code }), onSettled });
  const renewCodes = useMutation({
    mutationFn: async (code: string) =>
      (await api.post<{ backup_codes: string[] }>('/api/user/2fa/backup_codes', { code })).backup_codes,
    onSettled,
  });
  return {
    setUp: setUp.mutateAsync,
    enable: enable.mutateAsync,
    disable: disable.mutateAsync,
    renewCodes: renewCodes.mutateAsync,
  };
}
