import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sparkline } from '../../../cli/tui/components/sparkline.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { expectInside, openTestTerminal, type TerminalOptions } from '../../support/terminal.tsx';
import { json } from '../../support/upstream-script.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** `port`: where the screens look for the server of the installation. */
function open(port: number, options: TerminalOptions = {}) {
  return openTestTerminal({ ...gateway.app, config: { ...gateway.app.config, port } }, options);
}

const serverPort = () => Number(new URL(gateway.url).port);
/** A port without a listener. */
const deadPort = 1;

describe('the overview', () => {
  it.each([
    [60, 16],
    [80, 24],
    [140, 40],
  ])('tells in %i columns and %i rows how things go, in both languages', async (columns, rows) => {
    const english = open(deadPort, { columns, rows });
    const frame = await english.until('spend today');
    expectInside(english, columns, rows);
    expect(frame).toMatch(/requests\/min +[▁-█]{20} {2}\d/);
    expect(frame).toContain('1 enabled, 0 auto-disabled, 0 disabled');
    expect(frame).toContain('available while a server runs on this machine');
    english.close();
    const chinese = open(deadPort, { columns, rows, language: 'zh' });
    await chinese.until('今日消费');
    await chinese.until('本机未运行服务');
    expectInside(chinese, columns, rows);
    chinese.close();
  });

  it('tells a server that does not respond from none', async () => {
    const { createServer } = await import('node:net');
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const terminal = open(port, { columns: 100 });
    await terminal.until(/tollgate.db +server not responding/);
    await terminal.until(/errors +server not responding/);
    terminal.close();
    silent.close();
  });

  it('says where calls will stand before there is one', async () => {
    const terminal = open(deadPort);
    await terminal.until('no calls yet; the first call will appear here');
    terminal.close();
  });

  it('shows the latest calls with their cost, and what the server counts', async () => {
    expect((await gateway.chat()).status).toBe(200);
    await expect.poll(async () => await gateway.logCount()).toBe(1);
    gateway.upstream.always(json(500, { error: { message: 'down' } }));
    expect((await gateway.chat()).status).toBeGreaterThanOrEqual(500);
    gateway.upstream.always(undefined);
    const terminal = open(serverPort(), { columns: 140 });
    const frame = await terminal.until('Latest calls');
    const [row] = await gateway.logs();
    expect(frame).toMatch(new RegExp(`\\d\\d:\\d\\d:\\d\\d +\\S+ +${row?.model_name} .*\\$0\\.0+[1-9]`));
    // Read again every five seconds: a busy machine may miss the first time.
    await terminal.until('50.0 % of 2 calls');
    await terminal.until(/up \d+[sm] · \d rpm · errors 1/);
    terminal.close();
  });
});

describe('a sparkline', () => {
  it('is as high as its highest value, and flat without any', () => {
    expect(sparkline([0, 1, 2, 4], '▁▂▃▄▅▆▇█')).toBe('▁▃▅█');
    expect(sparkline([0, 0], '▁█')).toBe('▁▁');
  });
});
