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

  it('is the address an administrator must set, where a link is needed that no browser makes', async () => {
    const status = await root.data(root.get('/api/status'));
    expect(status.server_address).toBe('');
    await gateway.setOption('oidc.client_id', 'id');
    await gateway.setOption('oidc.well_known', 'https://id.example.com/.well-known/openid-configuration');
    await gateway.setOption('oidc.enabled', 'true');
    const response = await root.get('/api/oauth/authorization?provider=oidc', english);
    expect(response.message).toContain('ServerAddress');
  });

  it('is the damage, where routing data and channels disagree, until it is repaired', async () => {
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
