import { AppError } from '../../errors/app-error.ts';
import { type Mail, MailFailure, type MailSettings, type SmtpDependencies, sendBySmtp } from './smtp.ts';

export interface Mailer {
  /**
   * Throws `mail.notConfigured` while there is no mail server and `mail.queueFull` while there is no room: asked before it is known
   * whether the address has an account, so that the response does not tell.
   */
  requireReady(): void;
  isConfigured(): boolean;
  /** One try, now; the caller waits for it and keeps the mail for another try. */
  deliver(mail: Mail): Promise<void>;
  /** Queues the mail and returns at once: the caller does not learn whether, or how fast, it was sent. */
  send(mail: Mail): void;
  /** Resolves when nothing is under way or in line. */
  settled(): Promise<void>;
  /** Mails in line are dropped. */
  close(): void;
}

export interface MailerDependencies extends Omit<SmtpDependencies, 'limits'> {
  settings(): MailSettings;
  onFailure(text: string, error: unknown): void;
  limits?: Partial<MailLimits>;
}

export interface MailLimits {
  silenceMs: number;
  totalMs: number;
  /** Mails in line, those that wait for another try included. */
  waiting: number;
  /** Before the second try, the third and so on; after the last one the mail is given up. */
  retryAfterMs: readonly number[];
}

const defaultLimits: MailLimits = { silenceMs: 10_000, totalMs: 30_000, waiting: 200, retryAfterMs: [3_000, 15_000] };
/** A server that hangs holds up no more than this. */
const maxAtOnce = 2;

/** A bounded line of mails in memory: a code or link that is lost with the process is simply asked for again. */
export function createMailer({ settings, onFailure, limits: own = {}, ...smtp }: MailerDependencies): Mailer {
  const limits = { ...defaultLimits, ...own };
  const line: { mail: Mail; tries: number }[] = [];
  const pauses = new Set<NodeJS.Timeout>();
  const idle = new Set<() => void>();
  let underWay = 0;
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

  async function sendQueued(item: { mail: Mail; tries: number }): Promise<void> {
    try {
      await sendBySmtp(item.mail, settings(), { ...smtp, limits });
    } catch (error) {
      const pauseMs = limits.retryAfterMs[item.tries];
      const isFinal = pauseMs === undefined || (error instanceof MailFailure && error.isFinal);
      onFailure(isFinal ? 'a mail was given up' : 'a mail will be tried again', error);
      if (!isFinal) putBackAfter(pauseMs, { ...item, tries: item.tries + 1 });
    }
  }

  function putBackAfter(pauseMs: number, item: { mail: Mail; tries: number }): void {
    const pause = setTimeout(() => {
      pauses.delete(pause);
      line.push(item);
      next();
    }, pauseMs);
    pauses.add(pause.unref());
  }

  return {
    isConfigured,
    deliver: (mail) => sendBySmtp(mail, settings(), { ...smtp, limits }),
    requireReady() {
      if (!isConfigured()) throw new AppError('mail.notConfigured');
      if (isFull()) throw new AppError('mail.queueFull', {}, { retryAfterSeconds: 60 });
    },
    send(mail) {
      if (isFull()) return onFailure('a mail was given up, because too many are waiting', undefined);
      line.push({ mail, tries: 0 });
      next();
    },
    settled: () =>
      new Promise((resolve) => {
        idle.add(resolve);
        next();
      }),
    close() {
      line.length = 0;
      for (const pause of pauses) clearTimeout(pause);
      pauses.clear();
    },
  };
}
