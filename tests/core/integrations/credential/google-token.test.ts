import { generateKeyPairSync } from 'node:crypto';
import { importSPKI, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../../core/integrations/credential/authorizer.ts';
import { createOutbound, type Outbound } from '../../../../core/integrations/outbound/outbound.ts';
import { startTokenServer, type TokenServer } from './token-server.ts';

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const root = { privateAllowed: true };
const request = {
  url: 'https://us-east5-aiplatform.googleapis.com/v1/x',
  method: 'POST',
  headers: {},
  body: Buffer.alloc(0),
};
const start = 1_767_322_800_000;

let outbound: Outbound;
let server: TokenServer;
let now = start;

beforeAll(async () => {
  outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
  server = await startTokenServer();
});
afterAll(async () => {
  await Promise.all([outbound.close(), server.close()]);
});
beforeEach(() => {
  now = start;
  server.reply = undefined;
  server.gate = Promise.resolve();
  server.asked.length = 0;
});

const open = () => createAuthorizer({ outbound, now: () => now });

function accountOf(
  changes: Partial<{ clientEmail: string; privateKey: string; keyId: string; tokenUri: string }> = {},
) {
  const defaultValue = {
    clientEmail: 'sa@p.iam.gserviceaccount.com',
    privateKey: pair.privateKey,
    tokenUri: server.uri,
  };
  return { kind: 'google' as const, ...defaultValue, keyId: 'k1', ...changes };
}

describe('service account', () => {
  it('is exchanged for a token, with a word signed for the token server', async () => {
    expect(await open().authorize(request, accountOf(), root)).toEqual({ headers: { authorization: 'Bearer ya29.1' } });
    const [{ form, headers } = { form: new URLSearchParams(), headers: {} as Record<string, string> }] = server.asked;
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const publicKey = await importSPKI(pair.publicKey, 'RS256');
    const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
      currentDate: new Date(start),
    });
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
    expect(payload).toEqual({
      iss: 'sa@p.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: server.uri,
      iat: 1_767_322_800,
      exp: 1_767_326_400,
    });
  });

  it('is exchanged once, however many calls wait for the token', async () => {
    const authorizer = open();
    let release = () => {};
    server.gate = new Promise((resolve) => {
      release = resolve;
    });
    const calls = Array.from({ length: 20 }, () => authorizer.authorize(request, accountOf(), root));
    release();
    const proofs = await Promise.all(calls);
    expect(new Set(proofs.map(({ headers }) => headers?.authorization))).toEqual(new Set(['Bearer ya29.1']));
    expect(server.asked).toHaveLength(1);
  });

  it('is exchanged again five minutes before the token ends', async () => {
    const authorizer = open();
    await authorizer.authorize(request, accountOf(), root);
    now = start + (3599 - 301) * 1000;
    expect(await authorizer.authorize(request, accountOf(), root)).toEqual({
      headers: { authorization: 'Bearer ya29.1' },
    });
    now = start + (3599 - 299) * 1000;
    expect(await authorizer.authorize(request, accountOf(), root)).toEqual({
      headers: { authorization: 'Bearer ya29.2' },
    });
  });

  it('whose key was edited is another one', async () => {
    const authorizer = open();
    await authorizer.authorize(request, accountOf(), root);
    await authorizer.authorize(request, accountOf({ keyId: 'k2' }), root);
    expect(server.asked).toHaveLength(2);
  });

  it('is exchanged once more when its token was refused, and only by the first who was refused', async () => {
    const authorizer = open();
    const old = await authorizer.authorize(request, accountOf(), root);
    expect(authorizer.refused(accountOf(), { ...request, ...old })).toBe(true);
    const renewed = await authorizer.authorize(request, accountOf(), root);
    expect(renewed).toEqual({ headers: { authorization: 'Bearer ya29.2' } });
    // A slower call comes back with the old token: the new one stays.
    expect(authorizer.refused(accountOf(), { ...request, ...old })).toBe(true);
    expect(await authorizer.authorize(request, accountOf(), root)).toEqual(renewed);
  });

  it('tries again after a failure, which is not held against the next call', async () => {
    const authorizer = open();
    server.reply = { status: 500, body: 'oops' };
    await expect(authorizer.authorize(request, accountOf(), root)).rejects.toMatchObject({ kind: 'retry' });
    server.reply = undefined;
    expect(await authorizer.authorize(request, accountOf(), root)).toEqual({
      headers: { authorization: 'Bearer ya29.2' },
    });
  });

  it('reads a key of the older form', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    expect(await open().authorize(request, accountOf({ privateKey }), root)).toHaveProperty('headers.authorization');
  });
});

describe('service account that gets no token', () => {
  it.each([
    [400, { error: 'invalid_grant', error_description: 'Invalid grant: account not found' }, 'dead'],
    [401, { error: 'invalid_client' }, 'dead'],
    [400, { error: 'invalid_grant', error_description: 'Invalid JWT: ... in a reasonable timeframe' }, 'retry'],
    [400, { error: 'something_else' }, 'retry'],
    [403, '<html>proxy</html>', 'retry'],
    [429, {}, 'retry'],
    [503, { error: 'invalid_grant' }, 'retry'],
    [200, {}, 'retry'],
    [200, { access_token: 'a\r\nx-evil: 1' }, 'retry'],
    [200, 'nonsense', 'retry'],
    [302, {}, 'retry'],
  ])('a response with %i %j is %s (R: only a dead key disables a channel)', async (status, body, kind) => {
    server.reply = { status, body };
    const refused = open().authorize(request, accountOf(), root);
    await expect(refused).rejects.toMatchObject({ name: 'UpstreamError', kind });
  });

  it('says what to do, and nothing of what the server said beside its code (S10)', async () => {
    server.reply = { status: 400, body: { error: 'invalid_grant', error_description: 'internal-secret' } };
    const error = await open().authorize(request, accountOf(), root).catch(String);
    expect(error).toContain('the account or its key was deleted or disabled.');
    expect(error).not.toContain('internal-secret');
  });

  it.each(['nonsense', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'])(
    'because its key is %j is dead, and no request is sent',
    async (privateKey) => {
      const refused = open().authorize(request, accountOf({ privateKey }), root);
      await expect(refused).rejects.toMatchObject({ kind: 'dead', message: expect.stringContaining('not an RSA key') });
      expect(server.asked).toHaveLength(0);
    },
  );

  it('because its key is of another kind is dead', async () => {
    const { privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await expect(open().authorize(request, accountOf({ privateKey }), root)).rejects.toMatchObject({ kind: 'dead' });
  });

  it('because there is no listener may get one later', async () => {
    const closed = await startTokenServer();
    await closed.close();
    const refused = open().authorize(request, accountOf({ tokenUri: closed.uri }), root);
    await expect(refused).rejects.toMatchObject({ kind: 'retry' });
  });
});

describe('token address of a service account (S10)', () => {
  const refuse = (tokenUri: string, privateAllowed: boolean) =>
    expect(open().authorize(request, accountOf({ tokenUri }), { privateAllowed })).rejects;

  it('on this machine is only for channels that root saved', async () => {
    await refuse(server.uri, false).toMatchObject({ kind: 'dead', message: expect.stringContaining('https') });
    await refuse('https://127.0.0.1:9/token', false).toMatchObject({ kind: 'retry' });
    expect(server.asked).toHaveLength(0);
  });

  it.each(['http://oauth2.googleapis.com/token', 'file:///etc/passwd', 'ftp://x/', 'nonsense', ''])(
    'is refused when it is %j',
    async (tokenUri) => {
      await refuse(tokenUri, true).toMatchObject({ kind: 'dead' });
    },
  );

  it.each(['https://169.254.169.254/token', 'https://metadata.google.internal/token'])(
    'is never %s, no matter who says so',
    async (tokenUri) => {
      await refuse(tokenUri, true).toMatchObject({
        kind: 'retry',
        cause: expect.objectContaining({ code: 'outbound.refused' }),
      });
    },
  );
});
