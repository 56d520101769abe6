import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

describe('a console session', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('opens with name and password, shows the own account, and ends', async () => {
    const console = createConsoleClient(gateway.url);
    expect((await console.get('/api/user/self')).status).toBe(401);
    const user = await console.data(console.signIn('root', 'correct horse battery'));
    expect(user).toMatchObject({ username: 'root', role: 100, password: '', access_token: null });
    expect(await console.data(console.get('/api/user/self/'))).toMatchObject({ id: user.id });
    expect(await console.data(console.get('/api/user/self/sessions'))).toMatchObject([{ current: true }]);
    expect((await console.get('/api/user/self', { 'new-api-user': '01' })).status).toBe(401);
    const { cookie } = console;
    await console.data(console.get('/api/user/logout'));
    expect((await console.get('/api/user/self', { cookie })).status).toBe(401);
  });

  it('answers a wrong password with success false, in the language of the reader', async () => {
    const console = createConsoleClient(gateway.url);
    const wrong = await console.post('/api/user/login', { username: 'root', password: 'wrong' });
    expect(wrong).toMatchObject({ status: 200, success: false });
    expect(wrong.message).toMatch(/[\u4e00-\u9fff]/);
    const english = await console.post('/api/user/login', { username: 'root' }, { 'accept-language': 'en' });
    expect(english).toMatchObject({ status: 200, success: false });
    expect(english.message).not.toMatch(/[\u4e00-\u9fff]/);
  });
});
