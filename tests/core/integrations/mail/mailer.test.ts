import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MailFailure } from '../../../../core/integrations/mail/mail-failure.ts';
import { createMailer, type Mailer, type MailLimits } from '../../../../core/integrations/mail/mailer.ts';
import type { MailSettings } from '../../../../core/integrations/mail/smtp.ts';
import { createOutbound } from '../../../../core/integrations/outbound/outbound.ts';
import { startMailServer } from '../../../support/mail-server.ts';
import { testCertificates } from '../outbound/test-certificates.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const mail = { to: 'bob@example.com', subject: 'Hello 你好', html: '<p>你好</p>', text: '你好' };
/** A busy machine lets a good server wait for its turn: only the tests of bad servers have short limits. */
const limits: MailLimits = {
  greetingMs: 30_000,
  silenceMs: 30_000,
  totalMs: 60_000,
  waiting: 200,
  retryAfterMs: [50, 50],
};
const short: MailLimits = { ...limits, greetingMs: 300, silenceMs: 300, totalMs: 900, retryAfterMs: [] };

interface Bed {
  mailer: Mailer;
  failures: string[];
}

function mailerFor(port: number, own: Partial<MailSettings> = {}, ownLimits: MailLimits = limits): Bed {
  const rules = { upstreamPrivate: [], closedEndpoints: [{ host: '127.0.0.1', port: 5432 }] };
  const outbound = createOutbound({ rules, resolve: async () => ['127.0.0.1'] });
  const failures: string[] = [];
  const mailer = createMailer({
    settings: () => ({
      host: '127.0.0.1',
      port,
      tls: false,
      account: '',
      password: '',
      from: 'gate@example.com',
      senderName: 'Tollgate',
      ...own,
    }),
    openSocket: (host, target) => outbound.openSocket(host, target, 'operatorPrivate'),
    onFailure: (text, error) => failures.push(`${text}: ${error instanceof Error ? error.message : ''}`),
    limits: ownLimits,
    certificateAuthorities: testCertificates.valid,
  });
  closing.push(async () => {
    await mailer.close();
    await outbound.close();
  });
  return { mailer, failures };
}

/** A server that only does what a bad one does. */
async function startBadServer(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as { port: number }).port;
}

describe('a mail', () => {
  it('arrives with sender, subject, text and HTML', async () => {
    const server = await startMailServer();
    closing.push(server.close);
    const { mailer, failures } = mailerFor(server.port, { from: 'Gate keeper <gate@example.com>' });
    mailer.send(mail);
    const received = await server.take('bob@example.com');
    expect(received).toMatchObject({
      from: 'gate@example.com',
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
    });
    expect(received.raw).toMatch(/^From: Tollgate <gate@example.com>\r$/m);
    await mailer.settled();
    expect(failures).toEqual([]);
  });

  it('goes to one receiver, whatever signs are in the address', async () => {
    const server = await startMailServer();
    closing.push(server.close);
    const { mailer } = mailerFor(server.port);
    mailer.send({ ...mail, to: 'a@example.com, b@example.com' });
    mailer.send({ ...mail, to: 'c@example.com\r\nBcc: d@example.com' });
    await mailer.settled();
    for (const { to, raw } of server.mails) {
      expect(to).toHaveLength(1);
      expect(raw).not.toMatch(/^Bcc:/im);
    }
  });

  it('A-109 A-111 A-112 goes out signed in, by TLS from the first byte or after STARTTLS, to the server the certificate names', async () => {
    const seen: string[] = [];
    const secured = {
      key: testCertificates.key,
      cert: testCertificates.valid,
      authOptional: false,
      disabledCommands: [],
      onAuth(auth, session, done) {
        seen.push(`${auth.username}:${auth.password}:${session.secure}`);
        done(null, { user: auth.username });
      },
    } satisfies Parameters<typeof startMailServer>[0];
    for (const tls of [true, false]) {
      const server = await startMailServer({ ...secured, secure: tls });
      closing.push(server.close);
      const { mailer, failures } = mailerFor(server.port, {
        host: 'upstream.test',
        tls,
        account: 'gate',
        password: 'pw',
      });
      mailer.send(mail);
      await mailer.settled();
      expect(failures).toEqual([]);
      expect(server.mails).toHaveLength(1);
    }
    expect(seen).toEqual(['gate:pw:true', 'gate:pw:true']);
    const stranger = await startMailServer({ ...secured, secure: true });
    closing.push(stranger.close);
    const { mailer, failures } = mailerFor(stranger.port, {
      host: 'other.test',
      tls: true,
      account: 'gate',
      password: 'pw',
    });
    mailer.send(mail);
    await mailer.settled();
    expect(stranger.mails).toEqual([]);
    expect(failures.at(-1)).toContain('given up');
    expect(seen).toHaveLength(2);
  });

  it('never carries the password in clear', async () => {
    const seen: string[] = [];
    const server = await startMailServer({
      authOptional: true,
      allowInsecureAuth: true,
      onAuth(auth, _session, done) {
        seen.push(String(auth.password));
        done(null, { user: 'gate' });
      },
    });
    closing.push(server.close);
    const { mailer, failures } = mailerFor(server.port, { host: 'upstream.test', account: 'gate', password: 'pw' });
    mailer.send(mail);
    await mailer.settled();
    expect(seen).toEqual([]);
    expect(failures.at(-1)).toContain('given up');
  });

  it('S13 leaves no password in the log, whatever the server repeats', async () => {
    const password = 'the mail password';
    const encoded = Buffer.from(password).toString('base64');
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) =>
        done(Object.assign(new Error(`bad "${password}" (${encoded})`), { responseCode: 535 })),
    });
    closing.push(server.close);
    const { mailer } = mailerFor(server.port, { account: 'gate', password });
    const failure = (await mailer.deliver(mail).catch((error: unknown) => error)) as MailFailure;
    expect(failure).toMatchObject({ obstacle: 'signIn', reason: 'EAUTH 535' });
    expect((failure.cause as Error).message).toContain('bad "***" (***)');
  });

  it('is refused while there is no mail server', () => {
    expect(() => mailerFor(25, { host: '' }).mailer.requireReady()).toThrow(/mail server/);
    expect(() => mailerFor(25, { from: '' }).mailer.requireReady()).toThrow(/mail server/);
  });

  it('S10 is not sent to an endpoint of our own', async () => {
    const { mailer, failures } = mailerFor(5432);
    mailer.send(mail);
    await mailer.settled();
    expect(failures.at(-1)).toContain('given up');
  });

  it('is tried again when the server could not take it, and given up when it would not', async () => {
    let tries = 0;
    const server = await startMailServer({
      onRcptTo({ address }, _session, done) {
        tries++;
        if (address === 'never@example.com') done(Object.assign(new Error('no such user'), { responseCode: 550 }));
        else if (tries < 3) done(Object.assign(new Error('later'), { responseCode: 451 }));
        else done();
      },
    });
    closing.push(server.close);
    const { mailer, failures } = mailerFor(server.port);
    mailer.send(mail);
    await server.take('bob@example.com');
    await mailer.settled();
    expect(tries).toBe(3);
    expect(failures).toEqual([expect.stringContaining('again'), expect.stringContaining('again')]);
    mailer.send({ ...mail, to: 'never@example.com' });
    await mailer.settled();
    expect(tries).toBe(4);
    expect(failures.at(-1)).toContain('given up');
  });

  it('comes once from a server that takes longer to look at it than to greet', async () => {
    let tries = 0;
    const server = await startMailServer({
      onData(stream, _session, done) {
        tries++;
        stream.resume().on('end', () => setTimeout(done, 1500));
      },
    });
    closing.push(server.close);
    const { mailer, failures } = mailerFor(server.port, {}, { ...limits, greetingMs: 1000 });
    mailer.send(mail);
    await mailer.settled();
    expect(tries).toBe(1);
    expect(failures).toEqual([]);
  });

  it('has one Message-ID over all tries, and another mail has another one', async () => {
    const ids: string[] = [];
    const server = await startMailServer({
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          ids.push(/^Message-ID: (.*)$/im.exec(Buffer.concat(chunks).toString())?.[1] ?? '');
          done(ids.length === 1 ? Object.assign(new Error('later'), { responseCode: 451 }) : null);
        });
      },
    });
    closing.push(server.close);
    const { mailer } = mailerFor(server.port);
    mailer.send(mail);
    await mailer.settled();
    mailer.send(mail);
    await mailer.settled();
    expect(ids[0]).toMatch(/^<[\w-]+@example\.com>$/);
    expect(ids).toEqual([ids[0], ids[0], expect.not.stringContaining(ids[0] ?? '')]);
  });

  it('that waits for another try has it when the server stops', async () => {
    let isAway = true;
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) =>
        done(isAway ? Object.assign(new Error('later'), { responseCode: 451 }) : null),
    });
    closing.push(server.close);
    const { mailer, failures } = mailerFor(server.port, {}, { ...limits, retryAfterMs: [3_600_000] });
    mailer.send(mail);
    await vi.waitFor(() => expect(failures).toHaveLength(1), 30_000);
    isAway = false;
    await mailer.close();
    expect(server.mails).toHaveLength(1);
  });
});

describe('F57 a mail server that', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['refuses', (socket) => socket.end('554 go away\r\n')],
    ['hangs up', (socket) => socket.destroy()],
    ['never ends its greeting', (socket) => loop(socket, '220-hello\r\n')],
    ['sends only unfinished replies', (socket) => respondForever(socket)],
    ['talks nonsense', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
  ])('%s costs a bounded time, and the mail is given up', async (_what, onSocket) => {
    const port = await startBadServer(onSocket);
    const { mailer, failures } = mailerFor(port, {}, short);
    mailer.send(mail);
    await mailer.settled();
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain('given up');
  });

  it('hangs fills only the queue, and all callers get an error', async () => {
    const port = await startBadServer(() => {});
    const { mailer } = mailerFor(port, {}, { ...short, waiting: 10 });
    for (let sent = 0; sent < 12; sent++) {
      mailer.requireReady();
      mailer.send(mail);
    }
    expect(() => mailer.requireReady()).toThrow(/waiting/);
    await mailer.close();
  });
});

function loop(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => clearInterval(timer));
}

function respondForever(socket: Socket): void {
  socket.write('220 ready\r\n');
  socket.once('data', () => loop(socket, '250-and\r\n'));
}
