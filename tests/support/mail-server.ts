import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  subject: string;
  /** The plain text and the HTML part, decoded. */
  text: string;
  html: string;
  /** As it came over the wire. */
  raw: string;
}

export interface MailServer {
  port: number;
  mails: ReceivedMail[];
  /** The first mail to this address that came after the ones already taken; waits for it. */
  take(address: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** A real SMTP server on loopback that takes every mail and keeps it. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const taken = new Set<ReceivedMail>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        mails.push(
          readMail(
            from,
            rcptTo.map(({ address }) => address),
            Buffer.concat(chunks).toString('utf8'),
          ),
        );
        done();
      });
    },
    ...options,
  });
  // A client that distrusts the certificate hangs up: that is the client's affair.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function take(address: string): Promise<ReceivedMail> {
    for (const until = Date.now() + 30_000; Date.now() < until; ) {
      const found = mails.find((mail) => !taken.has(mail) && mail.to.includes(address));
      if (found) {
        taken.add(found);
        return found;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no mail to ${address} within 30 s`);
  }

  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    take,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function readMail(from: string, to: string[], raw: string): ReceivedMail {
  const headers = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const subject = /^Subject: (.*)$/im.exec(headers)?.[1] ?? '';
  const part = (type: string) => {
    const [, encoding = '', body = ''] =
      new RegExp(
        `Content-Type: ${type}[^]*?Content-Transfer-Encoding: (\\S+)[^]*?\\r\\n\\r\\n([^]*?)\\r\\n--`,
        'i',
      ).exec(raw) ?? [];
    return decode(body, encoding.toLowerCase());
  };
  return { from, to, subject: decodeWords(subject), text: part('text/plain'), html: part('text/html'), raw };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? unquote(body.replace(/=\r\n/g, '')) : body;
}

function unquote(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decodeWords(text: string): string {
  return text.replace(/=\?utf-8\?([BQ])\?([^?]*)\?=\s*/gi, (_, kind: string, word: string) =>
    kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString('utf8') : unquote(word.replace(/_/g, ' ')),
  );
}
