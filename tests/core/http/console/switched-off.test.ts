import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OptionKey } from '../../../../core/schemas/option.ts';
import { createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const password = 'correct horse battery';
const english = { 'accept-language': 'en' };

describe('what the administrator has switched off', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const guest = () => createConsoleClient(gateway.url);
  const register = (username: string) => guest().post('/api/user/register', { username, password }, english);
  const signIn = () => guest().post('/api/user/login', { username: 'alice', password }, english);

  it.each<[string, OptionKey, (name: string) => ReturnType<typeof register>, string]>([
    ['A-227 registration', 'RegisterEnabled', register, 'The administrator has turned off registration'],
    [
      'A-229 registration with a password',
      'PasswordRegisterEnabled',
      register,
      'The administrator has turned off registration with a password; use another sign-in method',
    ],
    ['A-226 A-228 sign-in with a password', 'PasswordLoginEnabled', signIn, 'Password sign-in is turned off'],
  ])('%s is refused with words of its own, and works when it is on again', async (_what, key, call, words) => {
    const name = key.slice(0, 12).toLowerCase();
    await gateway.setOption(key, 'false');
    expect(await call(name)).toMatchObject({ status: 200, success: false, message: words });
    await gateway.setOption(key, 'true');
    expect(await call(name)).toMatchObject({ status: 200, success: true });
  });

  it.each([
    ['GitHub', 'github?code=a&state=b'],
    ['LINUX DO', 'linuxdo?code=a&state=b'],
    ['OIDC', 'oidc?code=a&state=b'],
    ['WeChat', 'wechat?code=a'],
    ['Telegram', 'telegram/login?id=1&auth_date=1&hash=a'],
  ])('A-230 sign-in with %s is refused, and linking an account there', async (provider, path) => {
    const alice = guest();
    await alice.data(alice.signIn('alice', password));
    const bind = path.replace('wechat?', 'wechat/bind?').replace('/login?', '/bind?');
    for (const response of [
      await guest().get(`/api/oauth/${path}`, english),
      await alice.get(`/api/oauth/${bind}`, english),
    ])
      expect(response).toMatchObject({
        status: 200,
        success: false,
        message: `The administrator has not enabled sign-in with ${provider}`,
      });
  });
});
