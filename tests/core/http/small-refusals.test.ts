import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

describe('what a refusal names', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  const english = { 'accept-language': 'en' };
  beforeAll(async () => {
    gateway = await startGateway('sqlite');
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
  });
  afterAll(() => gateway.stop());

  it('is the limit of the route itself for a body that is too large', async () => {
    const long = (bytes: number) => ({ name: 'x'.repeat(bytes) });
    expect((await root.post('/api/channel/', long(1_100_000), english)).message).toContain('1024 KiB');
    expect((await root.post('/api/token/', long(70_000), english)).message).toContain('64 KiB');
  });

  it('is nothing where a route takes no body: naming the type of one is no fault', async () => {
    const json = { 'content-type': 'application/json' };
    const send = async (method: string, path: string, headers: Record<string, string> = json) => {
      const identity = { cookie: root.cookie, 'new-api-user': String(root.userId) };
      const response = await fetch(`${gateway.url}${path}`, {
        method,
        headers: { ...identity, ...english, ...headers },
      });
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    expect(await send('POST', '/api/channel/fix')).toEqual([200, '']);
    expect(await send('DELETE', '/api/channel/disabled')).toEqual([200, '']);
    expect(await send('DELETE', '/api/token/999/')).toEqual([200, 'Token 999 not found']);
    const empty = [400, 'The request body is empty. Send the parameters in the body.'];
    expect(await send('POST', '/api/token/')).toEqual(empty);
    expect(await send('POST', '/api/token/', {})).toEqual(empty);
  });

  it('is the type a body must have on this route, and is no error of the server itself', async () => {
    const refusal = async (path: string, type: string | undefined, method = 'POST') => {
      const headers = { ...english, ...(type !== undefined && { 'content-type': type }) };
      const response = await fetch(`${gateway.url}${path}`, { method, headers, body: Buffer.from('{}') });
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    const json = [415, 'The Content-Type of this request must be application/json.'];
    const form = [415, 'The Content-Type of this request must be application/x-www-form-urlencoded.'];
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', ';;;', undefined])
      expect(await refusal('/api/user/login', type), type).toEqual(json);
    for (const type of ['application/json', 'text/plain', undefined])
      expect(await refusal('/api/user/epay/notify', type), type).toEqual(form);
    const figures = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(figures).toMatch(/^tollgate_unexpected_errors_total\{where="http"\} 0$/m);
  });

  it('is what an input may be, where it has two forms', async () => {
    const reasonOf = async (response: Promise<{ message: string }>) => (await response).message;
    const english = { 'accept-language': 'en' };
    expect(await reasonOf(root.post('/api/redemption/', { name: 'x'.repeat(21) }, english))).toBe(
      'Invalid input: name: at most 20 characters',
    );
    expect(await reasonOf(root.put('/api/token/?status_only=true', { id: 1, status: 3 }, english))).toBe(
      'Invalid input: status: one of 1, 2',
    );
    expect(await reasonOf(root.put('/api/channel/', { id: 1, auto_ban: 5 }, english))).toBe(
      'Invalid input: auto_ban: one of 0, 1',
    );
    const typed = { name: 'x', key: 'k', models: 'm' };
    for (const type of ['nosuch', 999, 1.5, true])
      expect(await reasonOf(root.post('/api/channel/', { ...typed, type }, english)), String(type)).toBe(
        'Invalid input: type: no such channel type; use a number or a name such as openai, anthropic, gemini, azure, deepseek, or qwen',
      );
    expect(await reasonOf(root.post('/api/channel/', typed, english))).toBe('Invalid input: type: is missing');
    const mail = await reasonOf(root.put('/api/user/setting', { notification_email: 'nowhere' }, english));
    expect(mail).toBe('Invalid input: notification_email: an e-mail address such as name@example.com');
  });

  it('is the address an administrator must set, where a link is needed that no browser makes', async () => {
    const status = await root.data(root.get('/api/status'));
    expect(status.server_address).toBe('');
    await gateway.setOption('oidc.client_id', 'id');
    await gateway.setOption('oidc.well_known', 'https://id.example.com/.well-known/openid-configuration');
    await gateway.setOption('oidc.enabled', 'true');
    const response = await root.get('/api/oauth/authorization?provider=oidc', english);
    expect(response.message).toContain('ServerAddress');
  });

  it('G-244 is the damage, where routing data and channels disagree, until it is repaired', async () => {
    const { abilities } = gateway.app.database;
    await gateway.addChannel({ models: 'gpt-4o-mini' });
    expect((await gateway.chat()).status).toBe(200);
    await abilities.destroy({ where: {} });
    const call = () => gateway.chat();
    await expect.poll(async () => (await call()).status).toBe(503);
    expect(await (await call()).text()).toContain('does not match the channels');
    await root.data(root.post('/api/channel/fix'));
    await expect.poll(async () => (await call()).status).toBe(200);
  });
});
