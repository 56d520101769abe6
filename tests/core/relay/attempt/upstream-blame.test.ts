import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../../core/lib/logger.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { createTemporaryTarget } from '../../../support/temporary-database.ts';
import { failure, fixture } from '../../../support/upstream-script.ts';
import { expectRefused, requestIdOf, waitFor } from '../relay-checks.ts';

let gateway: TestGateway;
let logs: Awaited<ReturnType<typeof createTemporaryTarget>>;

beforeAll(async () => {
  logs = await createTemporaryTarget('sqlite');
  gateway = await startGateway();
  Object.assign(gateway.app.logger, createLogger({ level: 'info', format: 'json', directory: logs.directory }));
  await gateway.setOption('ModelRatio', JSON.stringify({ spare: 1, 'gpt-4o-mini': 1, 'anthropic.claude-3-haiku': 1 }));
  await gateway.setOption('RetryTimes', '1');
});
afterEach(() => {
  gateway.upstream.reset();
  gateway.gateway.relay.breaker.succeed(1);
});
afterAll(async () => {
  await gateway.stop();
  await logs.remove();
});

/** The line that the log has of a call. */
function lineOf(id: string): Promise<Record<string, unknown>> {
  return waitFor('the log has the call', async () => {
    gateway.app.logger.flush();
    const lines = readFileSync(join(logs.directory, 'tollgate.log'), 'utf8').split('\n');
    const line = lines.find((one) => one.includes(id) && one.includes('"msg":"relay"'));
    return line ? (JSON.parse(line) as Record<string, unknown>) : undefined;
  });
}

const secrets = /Incorrect API key|sk-dead|exceeded your|Upgrade your plan|country/;
const refusals: [number, string, string, number, string][] = [
  [401, 'invalid_api_key', 'Incorrect API key provided: sk-dead1234567.', 502, 'upstream_key_refused'],
  [402, 'payment_required', 'Upgrade your plan to go on.', 503, 'upstream_account_error'],
  [403, 'unsupported_country', 'Your country is not supported.', 502, 'upstream_forbidden'],
  [403, 'account_deactivated', 'Incorrect API key, the account is gone.', 502, 'upstream_key_refused'],
];

describe('what an upstream says of the operator’s own account', () => {
  it.each(refusals)(
    '%d %s is not a fault of the caller, and is in the log',
    async (status, code, message, told, word) => {
      gateway.upstream.always(failure(status, { code, message, type: 'invalid_request_error' }));
      let id = '';
      const ask = async () => {
        const response = await gateway.chat();
        id = requestIdOf(response);
        return response;
      };
      const error = await expectRefused(gateway, ask, { status: told, code: word, upstreamCalls: 1 });
      expect(error.message).not.toMatch(secrets);
      expect(await lineOf(id)).toMatchObject({
        level: 40,
        code,
        upstream_status: status,
        upstream_message: message.replace('sk-dead1234567.', '***'),
      });
    },
  );

  it('stays out of the log where it repeats what the caller sent', async () => {
    const secret = 'meet me at noon';
    gateway.upstream.always(
      failure(401, { code: 'invalid_api_key', message: `Wrong key for the prompt "${secret}".` }),
    );
    const response = await gateway.chat({ messages: [{ role: 'user', content: `Tell nobody: ${secret} tomorrow` }] });
    const line = await lineOf(requestIdOf(response));
    expect(line).toMatchObject({ upstream_status: 401 });
    expect(JSON.stringify(line)).not.toContain(secret);
  });

  it('is reported in the words of each protocol, and in Chinese', async () => {
    gateway.upstream.always(fixture('openai/error-invalid-key.json', { status: 401 }));
    const headers = { 'x-api-key': gateway.key, 'anthropic-version': '2023-06-01' };
    const message = { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], model: 'gpt-4o-mini' };
    const anthropic = await gateway.call('/v1/messages', message, { headers });
    expect(anthropic.status).toBe(502);
    expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    const gemini = await gateway.call('/v1beta/models/gpt-4o-mini:generateContent', { contents });
    expect(gemini.status).toBe(502);
    expect(await gemini.json()).toMatchObject({ error: { code: 502, status: 'UNAVAILABLE' } });
    const chinese = await gateway.chat({}, { headers: { 'accept-language': 'zh-CN' } });
    expect(await chinese.text()).toContain('上游拒绝了本网关的密钥');
  });

  it('is tried on another channel first', async () => {
    const dead = await gateway.addChannel({ name: 'dead', models: 'spare', key: 'dead', priority: 9 });
    const well = await gateway.addChannel({ name: 'well', models: 'spare', key: 'well' });
    gateway.upstream.always(({ headers }) =>
      headers.authorization === 'Bearer dead'
        ? failure(403, { message: 'No access here.' })
        : fixture('openai/chat.json'),
    );
    const response = await gateway.chat({ model: 'spare' });
    expect(response.status).toBe(200);
    const row = await gateway.lastLog();
    expect(row?.channel_id).toBe(well);
    expect(row?.other.admin_info).toMatchObject({
      attempts: [{ channel: dead, outcome: '403', message: 'No access here.' }, { outcome: 'ok' }],
    });
  });
});

describe('an error of this program itself', () => {
  it('is a line of level error with cause and stack, a figure of its own, and to the client only that it happened', async () => {
    // Signs its calls, where the error is planted.
    const key = 'AKIAEXAMPLE|secret|us-east-1';
    await gateway.addChannel({ name: 'signed', models: 'anthropic.claude-3-haiku', type: 33, key });
    const { authorize } = gateway.app.authorizer;
    gateway.app.authorizer.authorize = async () => {
      throw new RangeError('planted: Invalid string length', { cause: new Error('planted deeper') });
    };
    let id = '';
    const ask = async () => {
      const response = await gateway.chat({ model: 'anthropic.claude-3-haiku' });
      id = requestIdOf(response);
      return response;
    };
    const error = await expectRefused(gateway, ask, { status: 500, code: 'internal_error' });
    gateway.app.authorizer.authorize = authorize;
    expect(error.message).not.toContain('planted');
    const line = await lineOf(id);
    expect(line).toMatchObject({ level: 50, error: 'planted: Invalid string length', cause: 'planted deeper' });
    expect(String(line.stack)).toContain('upstream-blame.test.ts');
    const figures = await gateway.gateway.metrics.text();
    expect(figures).toMatch(/^tollgate_unexpected_errors_total\{where="relay"\} 1$/m);
    expect(figures).toMatch(/^tollgate_unexpected_errors_total\{where="http"\} 0$/m);
    expect(figures).toMatch(/^tollgate_relay_attempts_total\{reason="bug"\} 1$/m);
  });

  const figure = async () => {
    const found = /^tollgate_unexpected_errors_total\{where="relay"\} (\d+)$/m.exec(
      await gateway.gateway.metrics.text(),
    );
    return Number(found?.[1]);
  };

  it('counts as one in a call that costs nothing', async () => {
    const before = await figure();
    const { storedResponses } = gateway.app.services;
    const { ownerOf } = storedResponses;
    storedResponses.ownerOf = async () => {
      throw new RangeError('planted');
    };
    const response = await fetch(`${gateway.url}/v1/responses/resp_1`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    storedResponses.ownerOf = ownerOf;
    expect(response.status).toBe(500);
    await waitFor('the figure', async () => ((await figure()) === before + 1 ? true : undefined));
  });

  it('counts as one where our own count of the tokens takes the upstream’s place', async () => {
    const before = await figure();
    const { authorize } = gateway.app.authorizer;
    gateway.app.authorizer.authorize = async () => {
      throw new RangeError('planted');
    };
    const response = await gateway.call('/v1/messages/count_tokens', {
      model: 'anthropic.claude-3-haiku',
      messages: [{ role: 'user', content: 'hi' }],
    });
    gateway.app.authorizer.authorize = authorize;
    expect(response.status).toBe(200);
    expect(await figure()).toBe(before + 1);
  });
});
