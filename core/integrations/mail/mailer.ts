import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors/app-error.ts';
import { MailFailure } from './mail-failure.ts';
import { checkSmtp, type Mail, type MailSettings, type SmtpDependencies, type SmtpLimits, sendBySmtp } from './smtp.ts';

export interface Mailer {
  /**
   * Throws `mail.notConfigured` while there is no mail server and `mail.queueFull` while there is no room: asked before it is known
   * whether the address has an account, so that the response does not tell.
   */
  requireReady(): void;
  isConfigured(): boolean;
  /** Whether the mail server is there and takes the sign-in; sends nothing. Rejects with a MailFailure. */
  check(): Promise<void>;
  /** One try, now; the caller waits for it and keeps the mail for another try. */
  deliver(mail: Mail): Promise<void>;
  /** Queues the mail and returns at once: the caller does not learn whether, or how fast, it was sent. */
  send(mail: Mail): void;
  /** Resolves when nothing is under way or in line. */
  settled(): Promise<void>;
  /** Resolves when what is under way or in line has had its last try. */
  close(): Promise<void>;
}

export interface MailerDependencies extends Omit<SmtpDependencies, 'limits'> {
  settings(): MailSettings;
  onFailure(text: string, error: unknown): void;
  limits?: Partial<MailLimits>;
}

export interface MailLimits extends SmtpLimits {
  /** Mails in line, those that wait for another try included. */
  waiting: number;
  /** Before the second try, the third and so on; after the last one the mail is given up. */
  retryAfterMs: readonly number[];
}

const defaultLimits: MailLimits = {
  greetingMs: 10_000,
  silenceMs: 30_000,
  totalMs: 60_000,
  waiting: 200,
  // The last one comes after the five minutes for which many servers turn away a sender they do not know, and while a code is valid.
  retryAfterMs: [3_000, 15_000, 60_000, 240_000],
};
/** A server that hangs holds up no more than this. */
const maxAtOnce = 2;

interface QueuedMail {
  mail: Mail;
  tries: number;
}

/** A bounded line of mails in memory: a code or link that is lost with the process is simply asked for again. */
export function createMailer({ settings, onFailure, limits: own = {}, ...smtp }: MailerDependencies): Mailer {
  const limits = { ...defaultLimits, ...own };
  const line: QueuedMail[] = [];
  const pauses = new Map<NodeJS.Timeout, QueuedMail>();
  const idle = new Set<() => void>();
  let underWay = 0;
  let isClosing = false;
  const isConfigured = () => {
    const { host, from, account } = settings();
    return host !== '' && (from || account) !== '';
  };
  const isFull = () => line.length + pauses.size >= limits.waiting;

  function next(): void {
    while (underWay < maxAtOnce) {
      const item = line.shift();
      if (!item) break;
      underWay++;
      void sendQueued(item).finally(() => {
        underWay--;
        next();
      });
    }
    if (underWay === 0 && line.length === 0 && pauses.size === 0) {
      for (const tell of idle) tell();
      idle.clear();
    }
  }

  async function sendQueued(item: QueuedMail): Promise<void> {
    try {
      await sendBySmtp(item.mail, settings(), { ...smtp, limits });
    } catch (error) {
      const pauseMs = limits.retryAfterMs[item.tries];
      const isFinal = isClosing || pauseMs === undefined || (error instanceof MailFailure && error.isFinal);
      onFailure(isFinal ? 'a mail was given up' : 'a mail will be tried again', error);
      if (!isFinal) putBackAfter(pauseMs, { ...item, tries: item.tries + 1 });
    }
  }

  function putBackAfter(pauseMs: number, item: QueuedMail): void {
    const pause = setTimeout(() => {
      pauses.delete(pause);
      line.push(item);
      next();
    }, pauseMs);
    pauses.set(pause.unref(), item);
  }

  const settled = () =>
    new Promise<void>((resolve) => {
      idle.add(resolve);
      next();
    });

  return {
    isConfigured,
    check: () => checkSmtp(settings(), { ...smtp, limits }),
    deliver: (mail) => sendBySmtp(mail, settings(), { ...smtp, limits }),
    requireReady() {
      if (!isConfigured()) throw new AppError('mail.notConfigured');
      if (isFull()) throw new AppError('mail.queueFull', {}, { retryAfterSeconds: 60 });
    },
    send(mail) {
      if (isFull()) return onFailure('a mail was given up, because too many are waiting', undefined);
      line.push({ mail: { id: randomUUID(), ...mail }, tries: 0 });
      next();
    },
    settled,
    close() {
      isClosing = true;
      for (const [pause, item] of pauses) {
        clearTimeout(pause);
        line.push(item);
      }
      pauses.clear();
      return settled();
    },
  };
}
