import { describe, UpstreamFailure } from '../outbound/upstream-failure.ts';

/** What was in the way of a mail, as far as someone who sets up the mail server has to do something else for each. */
export type MailObstacle = 'unreachable' | 'silent' | 'unencrypted' | 'signIn' | 'sender' | 'receiver' | 'other';

/** Why a mail was not taken. */
interface MailRefusal {
  /** Another try in a moment would end like this one. */
  isFinal: boolean;
  /** It is the mail that is refused, or its receiver, and not our sign-in or sender, which an operator can set right. */
  isOfMail: boolean;
  obstacle: MailObstacle;
  /** `EAUTH 535`: a mail server's own words may repeat what was sent to it. */
  mark: string;
  /** For people: the mark, or what this side says of the connection, in no language yet. */
  reason: string;
}

/** A server that cannot take the mail now may take it later; one that will not, will not. */
export class MailFailure extends Error {
  readonly isFinal: boolean;
  readonly isOfMail: boolean;
  readonly obstacle: MailObstacle;
  readonly reason: string;

  constructor({ isFinal, isOfMail, obstacle, mark, reason }: MailRefusal, cause: unknown) {
    super(`the mail server did not take the mail (${mark})`, { cause });
    this.name = 'MailFailure';
    this.isFinal = isFinal;
    this.isOfMail = isOfMail;
    this.obstacle = obstacle;
    this.reason = reason;
  }
}

interface SmtpError {
  responseCode?: number;
  /** The one that the server refused. */
  command?: string;
}

const mailCodes = ['EENVELOPE', 'EMESSAGE'];
export const lateCode = 'ETIMEDOUT';
/** What this side says of a certificate or a handshake, and not of a socket that was cut. */
const aboutTls = /certificate|:routines:|altnames/i;

/** `secrets`: what a server may repeat in its own words, which are logged as the cause. */
export function asMailFailure(error: unknown, isConnected: boolean, secrets: readonly string[]): MailFailure {
  const { responseCode, command } = (error ?? {}) as SmtpError;
  const code = codeOf(error);
  const isFinal = responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500;
  const isOfMail = mailCodes.includes(code) && command !== 'MAIL FROM';
  const mark = responseCode === undefined ? code : `${code} ${responseCode}`;
  const obstacle = isConnected || code === lateCode ? obstacleOf(code, error) : 'unreachable';
  const cause = error instanceof Error && responseCode !== undefined ? withoutSecrets(error, secrets) : error;
  return new MailFailure({ isFinal, isOfMail, obstacle, mark, reason: reasonOf(error) ?? mark }, cause);
}

function withoutSecrets({ message }: Error, secrets: readonly string[]): Error {
  return new Error(secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message));
}

function codeOf(error: unknown): string {
  const ofSystem = error instanceof UpstreamFailure ? describe(error.cause).code : describe(error).code;
  return ofSystem || 'ERROR';
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof UpstreamFailure) return error.refusal ? error.coded : undefined;
  const { code, message } = describe(error);
  const isOfTls = code === 'ESOCKET' && aboutTls.test(message);
  return isOfTls ? message.split(':routines:').at(-1)?.trim().slice(0, 200) : undefined;
}

function obstacleOf(code: string, error: unknown): MailObstacle {
  const { command } = (error ?? {}) as SmtpError;
  if (command === 'MAIL FROM') return 'sender';
  if (command === 'RCPT TO') return 'receiver';
  if (code === lateCode) return 'silent';
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'signIn';
  return code === 'ETLS' || aboutTls.test(describe(error).message) ? 'unencrypted' : 'other';
}
