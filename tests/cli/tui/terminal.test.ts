import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { main } from '../../../cli/main.ts';
import { openTerminal } from '../../../cli/tui/terminal.ts';
import { createCliHome, runCli } from '../../support/run-cli.ts';

const entered = '\u001b[?1049h';
const left = '\u001b[?1049l';
const cursorShown = '\u001b[?25h';

/** A terminal as the program sees one, and all that was written to it. */
function createHost(env: Record<string, string> = {}) {
  let written = '';
  const sink = () =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          written += String(chunk);
          done();
        },
      }),
      { isTTY: true, columns: 80, rows: 24 },
    );
  const raw: boolean[] = [];
  const exits: number[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => raw.push(on),
    ref: () => undefined,
    unref: () => undefined,
  });
  const host = Object.assign(new EventEmitter(), {
    env: { LC_ALL: 'C.UTF-8', NODE_ENV: 'test', ...env },
    stdin,
    stdout: sink(),
    stderr: sink(),
    exit: (code: number) => exits.push(code),
  });
  return { host, stdin, raw, exits, written: () => written };
}

const until = (check: () => boolean) => expect.poll(check, { timeout: 30_000 }).toBe(true);

describe('the terminal', () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const terminal of open.splice(0)) terminal.close();
  });

  function draw() {
    const { host, written } = createHost();
    const terminal = openTerminal(host);
    open.push(terminal);
    return { terminal, written, frame: (...lines: string[]) => terminal.stdout.write(lines.join('\n')) };
  }

  it('shows of a new frame only the lines that differ, and erases nothing else', async () => {
    const { frame, written } = draw();
    frame('one', 'two', 'three');
    await until(() => written().includes('three'));
    const before = written().length;
    frame('one', 'TWO', 'three');
    await until(() => written().includes('TWO'));
    const change = written().slice(before);
    expect(change).toContain('\u001b[2;1HTWO');
    expect(change).not.toMatch(/one|three/);
    expect(change).not.toContain('\u001b[2J');
  });

  it('keeps the last cell of a line that fills the row', async () => {
    const { frame, written } = draw();
    frame('界'.repeat(40), 'short');
    await until(() => written().includes('short'));
    expect(written()).not.toContain(`${'界'.repeat(40)}\u001b[0m\u001b[K`);
    expect(written()).toContain('short\u001b[0m\u001b[K');
  });

  it('redraws everything on demand', async () => {
    const { terminal, frame, written } = draw();
    frame('one', 'two');
    await until(() => written().includes('two'));
    const before = written().length;
    terminal.redraw();
    await until(() => written().slice(before).includes('two'));
    expect(written().slice(before)).toContain('\u001b[2J');
  });

  it('is given back once, whatever ends the program', () => {
    const { terminal, written } = draw();
    // What Node prints before an uncaught error.
    (process as NodeJS.EventEmitter).emit('uncaughtExceptionMonitor', new Error('a bug'), 'uncaughtException');
    expect(written()).toContain(left);
    terminal.close();
    expect(written().split(left)).toHaveLength(2);
    expect(written().lastIndexOf(cursorShown)).toBeGreaterThan(written().lastIndexOf('\u001b[?25l'));
  });
});

describe('tollgate tui', () => {
  it('needs a terminal and names the command for scripts', async () => {
    const { code, stderr, stdout } = await runCli('tui');
    expect(code).toBe(2);
    expect(stderr).toContain('the terminal UI needs a terminal');
    expect(stderr).toContain('tollgate channel list');
    expect(stdout).toBe('');
  });

  it('opens on the alternate screen and gives the terminal back at q, at SIGTERM and at a wrong screen', async () => {
    const home = createCliHome();
    try {
      const quit = createHost(home.env);
      const done = main(['tui', '--screen', 'channel'], quit.host);
      await until(() => quit.written().includes('no channels yet'));
      expect(quit.written()).toContain(entered);
      quit.stdin.write('q');
      expect(await done).toBe(0);
      expect(quit.written()).toContain(left);
      expect(quit.raw.at(-1)).toBe(false);

      const ended = createHost(home.env);
      const ending = main(['tui', '--language', 'zh'], ended.host);
      await until(() => ended.written().includes('概览'));
      ended.host.emit('SIGTERM');
      expect(await ending).toBe(130);
      expect(ended.written()).toContain(left);

      const wrong = createHost(home.env);
      expect(await main(['tui', '--screen', 'nothing'], wrong.host)).toBe(2);
      expect(wrong.written()).toContain('the screen nothing does not exist; choose one of overview, channel,');
      expect(wrong.written()).not.toContain(entered);
    } finally {
      home.remove();
    }
  });

  it('shows its frame at once, before the installation is open, and can be left then', async () => {
    const home = createCliHome();
    try {
      const quit = createHost(home.env);
      const done = main(['tui', '--screen', 'channel'], quit.host);
      await until(() => quit.written().includes('[2 Channels]'));
      const first = quit.written();
      expect(first).toContain('loading');
      expect(first).toMatch(/tollgate .*q quit/);
      expect(first).not.toContain('no channels yet');
      quit.host.emit('SIGINT');
      expect(await done).toBe(130);
      expect(quit.written().split(left)).toHaveLength(2);
    } finally {
      home.remove();
    }
  });

  it('keeps what is typed while it opens off the screen, and obeys it as soon as it is open', async () => {
    const home = createCliHome();
    try {
      const early = createHost(home.env);
      const done = main(['tui', '--screen', 'channel'], early.host);
      await until(() => early.written().includes('loading'));
      early.stdin.write('4');
      await until(() => early.written().includes('[4 Users]'));
      early.stdin.write('q');
      expect(await done).toBe(0);
      expect(early.raw.at(-1)).toBe(false);
    } finally {
      home.remove();
    }
  });

  it.each([
    ['q', 'q', 0],
    ['Ctrl-C', '\u0003', 130],
  ])(
    'can be left by %s while the database does not respond, and echoes nothing meanwhile',
    async (_name, key, code) => {
      const clients: Socket[] = [];
      const silent = createServer((client) => clients.push(client));
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const home = createCliHome({ SQL_DSN: `postgres://nobody@127.0.0.1:${port}/nothing` });
      try {
        const early = createHost(home.env);
        const done = main(['tui'], early.host);
        await until(() => early.written().includes('loading') && clients.length > 0);
        expect(early.raw).toEqual([true]);
        early.stdin.write(key);
        await until(() => early.exits.length > 0);
        expect(early.exits).toEqual([code]);
        expect(early.written()).toContain(left);
        expect(early.raw).toEqual([true, false]);
        // This process goes on: it is told at last that there is no database.
        silent.close();
        for (const client of clients) client.destroy();
        expect(await done).toBe(code);
      } finally {
        silent.close();
        home.remove();
      }
    },
  );

  it('writes plain lines for a screen reader, without a screen of its own', async () => {
    const home = createCliHome({ INK_SCREEN_READER: 'true' });
    try {
      const reader = createHost(home.env);
      const done = main(['tui', '--screen', 'channel'], reader.host);
      await until(() => reader.written().includes('no channels yet'));
      expect(reader.written()).not.toContain(entered);
      expect(reader.written()).not.toContain('───');
      expect(reader.written()).not.toContain('\u001b[K');
      reader.stdin.write('?');
      await until(() => reader.written().includes('Keys on this screen'));
      // What was read out is not read out again.
      expect(reader.written().split('2 Channels')).toHaveLength(2);
      reader.stdin.write('\u0003');
      expect(await done).toBe(0);
    } finally {
      home.remove();
    }
  });
});
