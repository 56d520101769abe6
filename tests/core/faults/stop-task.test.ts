import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { startTaskVendors, submissions } from '../../support/task-vendors.ts';
import { engines } from '../../support/temporary-database.ts';
import { json } from '../../support/upstream-script.ts';

const { path, body, cost } = submissions.song;

describe.each(engines)('a server on %s that is told to stop while a job is submitted', (engine) => {
  let installation: Installation;

  beforeEach(async () => {
    installation = await createInstallation(engine);
    const { channels } = startTaskVendors(installation.upstream);
    const channel = { ...channels.song, key: 'upstream-key', base_url: installation.upstream.url };
    installation.environment.INITIAL_CHANNEL = JSON.stringify(channel);
  });
  afterEach(() => installation.remove());

  /** The submit is with the upstream when this resolves. */
  async function submit() {
    const response = fetch(`${installation.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${installation.key}` },
      body: JSON.stringify(body),
    });
    await installation.upstream.waitForRequests(1);
    return { response };
  }

  it('R7 waits for the upstream, and the job is charged', async () => {
    const accepted = json(200, { code: 'success', message: '', data: 'song-1' });
    installation.upstream.route('/suno/submit/MUSIC', { ...accepted, firstByteMs: 1500 });
    const server = await installation.start();
    const { response } = await submit();
    server.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect(await (await response).json()).toEqual({ code: 'success', message: '', data: 'song-1' });
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(await installation.count(`tasks WHERE quota = ${cost}`)).toBe(1);
    await installation.expectCleanBooks();
  });

  it('R7 ends the call when its time is over: nothing is charged, and the log names the channel that may run the job', async () => {
    installation.upstream.route('/suno/submit/MUSIC', { stall: 'headers' });
    const server = await installation.start({ environment: { DRAIN_TIMEOUT: '1' } });
    const { response } = await submit();
    server.signal('SIGTERM');
    const refused = await response;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ data: null, message: expect.stringContaining('request id') });
    const { code, stdout, stderr } = await server.ended;
    expect(code).toBe(0);
    const line = (stdout + stderr).split('\n').find((text) => text.includes('the upstream may run it'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ id: refused.headers.get('x-request-id'), channel: 1 });
    expect(await installation.count('tasks')).toBe(0);
    expect(await installation.count('quota_holds')).toBe(0);
    await installation.expectCleanBooks();
  });
});
