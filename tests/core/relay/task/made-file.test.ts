import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutbound } from '../../../../core/integrations/outbound/outbound.ts';
import { ClientWriter } from '../../../../core/relay/deliver/client-writer.ts';
import { createMadeFiles, type MadeFile } from '../../../../core/relay/task/made-file.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../support/fake-upstream.ts';
import { cut } from '../../../support/upstream-script.ts';

const file: Omit<MadeFile, 'url'> = {
  headers: {},
  profile: 'user',
  defaultType: 'image/jpeg',
  maxBytes: 1024,
  cacheSeconds: 60,
  types: /^image\/(png|jpeg)\b/,
};

describe('a picture at its vendor', () => {
  const outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
  // The vendor of this test is on this machine, which no caller's address may be.
  const reachable = createMadeFiles({
    sendAs: (_profile, request) => outbound.upstream.sendAs('operatorPrivate', { ...request, privateAllowed: true }),
  });
  let vendor: FakeUpstream;
  let server: Server;
  let url: string;
  let pictures = reachable;

  beforeAll(async () => {
    vendor = await startFakeUpstream();
    server = createServer((_request, response) => {
      const client = new ClientWriter(response, []);
      pictures
        .show({ ...file, url: `${vendor.url}/a.png` }, client)
        .catch(() => client.respond(502, [], Buffer.alloc(0)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    server.close();
    await vendor.close();
    await outbound.close();
  });

  const png = { headers: { 'content-type': 'image/png' }, body: Buffer.from('\x89PNG-bytes', 'latin1') };

  it('is passed on as it is, where no script in it can run', async () => {
    pictures = reachable;
    vendor.route('/a.png', { status: 302, headers: { location: `${vendor.url}/b.png` } });
    vendor.route('/b.png', png);
    const shown = await fetch(url);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await shown.arrayBuffer()).toString('latin1')).toBe('\x89PNG-bytes');
    expect(shown.headers.get('content-security-policy')).toContain('sandbox');
    expect(shown.headers.get('cache-control')).toBe('private, max-age=60');
  });

  it('is not passed on when it is something else, gone, cut off, or inside this network', async () => {
    pictures = reachable;
    vendor.route('/a.png', { headers: { 'content-type': 'text/html' }, body: Buffer.from('<script>') });
    expect((await fetch(url)).status).toBe(502);
    vendor.route('/a.png', { headers: { 'content-type': 'image/svg+xml' }, body: Buffer.from('<svg/>') });
    expect((await fetch(url)).status).toBe(502);
    vendor.route('/a.png', { status: 404, ...png });
    expect((await fetch(url)).status).toBe(502);
    vendor.route('/a.png', cut(png, 4));
    await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow();
    vendor.route('/a.png', png);
    const before = vendor.requests.length;
    pictures = createMadeFiles(outbound.upstream);
    expect((await fetch(url)).status).toBe(502);
    expect(vendor.requests).toHaveLength(before);
  });
});
