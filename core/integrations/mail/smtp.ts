import type { Socket } from 'node:net';
import { isLoopback } from '../outbound/ip-class.ts';

export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte; port 465 is always like that. */
  tls: boolean;
  /** Without an account or password, no sign-in is sent. */
  account: string;
  password: string;
  /** An address, or `Name <address>`. */
  from: string;
  senderName: string;
}

export interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
}

export type OpenSocket = (host: string, port: number) => Promise<Socket>;

export interface SmtpLimits {
  /** Without a byte from the server. */
  silenceMs: number;
  /** For the whole mail, whatever the server keeps saying. */
  totalMs: number;
}

/** Why a mail was not taken. */
interface MailRefusal {
  /** Another try in a moment would end like this one. */
  isFinal: boolean;
  /** It is the mail that is refused, or its receiver, and not our sign-in or sender, which an operator can set right. */
  isOfMail: boolean;
}

/** A server that cannot take the mail now may take it later; one that will not, will not. */
export class MailFailure extends Error {
  readonly isFinal: boolean;
  readonly isOfMail: boolean;

  constructor(message: string, { isFinal, isOfMail }: MailRefusal, cause: unknown) {
    super(message, { cause });
    this.name = 'MailFailure';
    this.isFinal = isFinal;
    this.isOfMail = isOfMail;
  }
}

/** Hosts that offer AUTH PLAIN and refuse it (options reference, 2.3). */
const loginOnly = /(^|\.)(outlook|office365|onmicrosoft)\.com$|(^|\.)azurecomm\.net$/i;
const maxResponseBytes = 64 * 1024;

/** One mail over one checked connection. Rejects with a MailFailure that names no password. */
export async function sendBySmtp(
  mail: Mail,
  settings: MailSettings,
  { openSocket, limits, certificateAuthorities }: SmtpDependencies,
): Promise<void> {
  let socket: Socket | undefined;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    socket?.destroy(new Error('the mail server took too long'));
  }, limits.totalMs);
  try {
    // Loaded with the first mail: most starts of the program send none.
    const { createTransport } = await import('nodemailer');
    socket = await openSocket(settings.host, settings.port);
    if (isLate) throw new Error('the mail server took too long');
    const transport = createTransport({
      ...connectionOptions(settings, limits.silenceMs, certificateAuthorities),
      getSocket: (_options, callback) => callback(null, { connection: socket }),
    });
    await transport.sendMail({
      from: { name: settings.senderName, address: addressIn(settings.from || settings.account) },
      // As an object: a text would be read as a list of receivers.
      to: { name: '', address: mail.to },
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    throw asFailure(error);
  } finally {
    clearTimeout(timer);
    socket?.destroy();
  }
}

export interface SmtpDependencies {
  openSocket: OpenSocket;
  limits: SmtpLimits;
  /** PEM certificates trusted instead of the built-in ones. */
  certificateAuthorities?: string | undefined;
}

function connectionOptions(settings: MailSettings, silenceMs: number, ca: string | undefined) {
  const { host, port, account, password } = settings;
  const hasLogin = account !== '' && password !== '';
  // A mail server on this machine often has a certificate of its own making, and the connection never leaves the machine.
  const isLocal = host === 'localhost' || isLoopback(host);
  return {
    host,
    port,
    secure: settings.tls || port === 465,
    requireTLS: hasLogin && !isLocal,
    ...(hasLogin && { auth: { user: account, pass: password } }),
    ...(loginOnly.test(host) && { authMethod: 'LOGIN' }),
    tls: { rejectUnauthorized: !isLocal, minVersion: 'TLSv1.2' as const, ...(ca && { ca }) },
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    maxResponseSize: maxResponseBytes,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const addressIn = (text: string) => /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();

interface SmtpError {
  responseCode?: number;
  code?: string;
  /** The one that the server refused. */
  command?: string;
}

const mailCodes = ['EENVELOPE', 'EMESSAGE'];

function asFailure(error: unknown): MailFailure {
  const { responseCode, code = 'ERROR', command } = (error ?? {}) as SmtpError;
  const isFinal = responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500;
  const isOfMail = mailCodes.includes(code) && command !== 'MAIL FROM';
  const status = responseCode === undefined ? '' : ` ${responseCode}`;
  const message = `the mail server did not take the mail (${code}${status})`;
  return new MailFailure(message, { isFinal, isOfMail }, error);
}
