import { type App, type AppOptions, createApp } from '../../core/app.ts';
import { loadConfig } from '../../core/config.ts';
import type { LogRow } from '../../core/database/models/log.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../core/gateway.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../core/schemas/channel.ts';
import { tokenCreateSchema } from '../../core/schemas/token.ts';
import { userCreateSchema } from '../../core/schemas/user.ts';
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';
import { sharedCounter } from './shared-counter.ts';
import { createMigratedTarget, type Engine } from './temporary-database.ts';

export interface TestGateway {
  url: string;
  app: App;
  gateway: Gateway;
  upstream: FakeUpstream;
  directory: string;
  environment: Record<string, string>;
  /** Adds a channel that points at the fake upstream unless told otherwise; resolves with its id. */
  addChannel(input?: Record<string, unknown>): Promise<number>;
  /** A user with a balance. */
  addUser(name: string, quota: number): Promise<number>;
  /** A token of the user; resolves with its whole key, `sk-` included. */
  addToken(userId: number, input?: Record<string, unknown>): Promise<string>;
  setOption(key: string, value: string): Promise<void>;
  quotaOf(userId: number): Promise<number>;
  /** One call with JSON; `key` may be left out for the default one. */
  call(path: string, body: unknown, options?: CallOptions): Promise<Response>;
  chat(body?: Record<string, unknown>, options?: CallOptions): Promise<Response>;
  /** Consumption rows, oldest first. */
  logs(): Promise<LogEntry[]>;
  lastLog(): Promise<LogEntry | undefined>;
  logCount(): Promise<number>;
  /** Fails the test with the differences when the books are not right. */
  verifyBooks(): Promise<void>;
  /** Key and owner used when a test names none. */
  key: string;
  userId: number;
  stop(): Promise<void>;
}

export interface CallOptions {
  key?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface LogEntry {
  id: number;
  request_id: string;
  user_id: number;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  model_name: string;
  channel_id: number;
  content: string;
  is_stream: boolean;
  other: Record<string, unknown>;
}

export interface TestGatewayOptions extends GatewayOptions, AppOptions {
  /** A free one unless told otherwise. */
  port?: number;
}

/** A whole installation in a temporary folder, listening on a free loopback port, with one channel, user and token. */
export async function startGateway(
  engine: Engine = 'sqlite',
  environment: Record<string, string> = {},
  { port: wantedPort = 0, ...options }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { target, directory, remove } = await createMigratedTarget(engine);
  const settings: Record<string, string> = {
    TOLLGATE_HOME: directory,
    LOG_LEVEL: 'silent',
    TOLLGATE_ROOT_PASSWORD: 'correct horse battery',
    // All calls of all tests of a file come from one address.
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    ...(target.engine === 'postgres' ? { SQL_DSN: target.url } : {}),
    ...environment,
  };
  const upstream = await startFakeUpstream();
  const app = await createApp(loadConfig({}, settings), options);
  const gateway = await createGateway(app, {
    criticalCalls: 1_000_000,
    counter: sharedCounter,
    ...options,
    // Client, upstream and gateway share one event loop here, and the machine and its disk with other tests.
    overloadLimits: { loopDelayMs: 60_000, queueWaitMs: 60_000, ...options.overloadLimits },
  });
  const port = await gateway.listen('127.0.0.1', wantedPort);
  const url = `http://127.0.0.1:${port}`;
  const { services } = app;

  async function freshest(): Promise<void> {
    await gateway.refresh();
  }

  const test: TestGateway = {
    url,
    app,
    gateway,
    upstream,
    directory,
    environment: settings,
    key: '',
    userId: 0,
    async addChannel(input = {}) {
      const [created] = await services.channels.create(
        systemActor,
        channelCreateSchema.parse({
          type: 1,
          name: 'fake',
          models: 'gpt-4o-mini',
          key: 'upstream-key',
          base_url: upstream.url,
          ...input,
        }),
      );
      await freshest();
      if (!created) throw new Error('no channel was created');
      return created.id;
    },
    async addUser(name, quota) {
      const user = await services.users.create(
        systemActor,
        userCreateSchema.parse({ username: name, password: 'correct horse battery', display_name: name }),
      );
      if (quota > 0) await services.users.adjustQuota(systemActor, { id: user.id, amount: quota, note: 'test' });
      await freshest();
      return user.id;
    },
    async addToken(userId, input = {}) {
      const token = await services.tokens.create(
        systemActor,
        tokenCreateSchema.parse({ name: 'test', unlimited_quota: true, remain_quota: 0, ...input }),
        { userId },
      );
      await freshest();
      return `sk-${token.key}`;
    },
    async setOption(key, value) {
      await services.options.set(systemActor, key, value);
      await freshest();
    },
    async quotaOf(userId) {
      return (await app.database.users.findOne({ where: { id: userId }, raw: true }))?.quota ?? Number.NaN;
    },
    call: (path, body, { key = test.key, headers = {}, signal } = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    chat: (body = {}, options) =>
      test.call(
        '/v1/chat/completions',
        { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }], ...body },
        options,
      ),
    async logs() {
      const rows = await app.database.logs.findAll({ where: { type: 2 }, order: [['id', 'ASC']], raw: true });
      return rows.map(readLog);
    },
    async lastLog() {
      const row = await app.database.logs.findOne({ where: { type: 2 }, order: [['id', 'DESC']], raw: true });
      return row ? readLog(row) : undefined;
    },
    logCount: () => app.database.logs.count({ where: { type: 2 } }),
    async verifyBooks() {
      const report = await app.ledger.verify();
      if (!report.ok) throw new Error(`the books are not right: ${JSON.stringify(report.differences, undefined, 2)}`);
    },
    async stop() {
      await gateway.drain(0);
      await gateway.close();
      await app.close();
      await upstream.close();
      await remove();
    },
  };
  await test.addChannel();
  test.userId = await test.addUser('alice', 10_000_000);
  test.key = await test.addToken(test.userId);
  return test;
}

const readLog = (row: LogRow): LogEntry => ({
  ...row,
  request_id: row.request_id ?? '',
  other: JSON.parse(row.other || '{}'),
});
