import type { Socket } from 'node:net';
import type { Transporter } from 'nodemailer';
import { isLoopback } from '../outbound/ip-class.ts';
import { asMailFailure, lateCode } from './mail-failure.ts';

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
  /** The same at every try, so that a mailbox which gets a mail again shows it once; left out = tried once. */
  id?: string;
  to: string;
  subject: string;
  html: string;
  text: string;
}

export type OpenSocket = (host: string, port: number) => Promise<Socket>;

export interface SmtpLimits {
  /** Until the server is there and has greeted. */
  greetingMs: number;
  /** Without a byte from the server afterward: one that looks for spam before it takes a mail needs its time for that. */
  silenceMs: number;
  /** For the whole mail, whatever the server keeps saying. */
  totalMs: number;
}

/** Hosts that offer AUTH PLAIN and refuse it (options reference, 2.3). */
const loginOnly = /(^|\.)(outlook|office365|onmicrosoft)\.com$|(^|\.)azurecomm\.net$/i;
const maxResponseBytes = 64 * 1024;

/** One mail over one checked connection. Rejects with a MailFailure that names no password. */
export function sendBySmtp(mail: Mail, settings: MailSettings, dependencies: SmtpDependencies): Promise<void> {
  return withTransport(settings, dependencies, async (transport) => {
    const from = addressIn(settings.from || settings.account);
    await transport.sendMail({
      from: { name: settings.senderName, address: from },
      // As an object: a text would be read as a list of receivers.
      to: { name: '', address: mail.to },
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      ...(mail.id !== undefined && { messageId: `<${mail.id}@${from.split('@').pop()}>` }),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  });
}

/** Whether the server is there and takes the sign-in; no mail is sent. Rejects with a MailFailure. */
export function checkSmtp(settings: MailSettings, dependencies: SmtpDependencies): Promise<void> {
  return withTransport(settings, dependencies, async (transport) => {
    await transport.verify();
  });
}

async function withTransport(
  settings: MailSettings,
  { openSocket, limits, certificateAuthorities }: SmtpDependencies,
  work: (transport: Transporter) => Promise<void>,
): Promise<void> {
  let socket: Socket | undefined;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    socket?.destroy(tooLate());
  }, limits.totalMs);
  try {
    // Loaded with the first mail: most starts of the program send none.
    const { createTransport } = await import('nodemailer');
    socket = await openSocket(settings.host, settings.port);
    if (isLate) throw tooLate();
    const transport = createTransport({
      ...connectionOptions(settings, limits, certificateAuthorities),
      getSocket: (_options, callback) => callback(null, { connection: socket }),
    });
    await work(transport);
  } catch (error) {
    throw asMailFailure(error, socket !== undefined, secretsOf(settings));
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

function connectionOptions(settings: MailSettings, { greetingMs, silenceMs }: SmtpLimits, ca: string | undefined) {
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
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    maxResponseSize: maxResponseBytes,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The password, and how the two ways to sign in write it. */
function secretsOf({ account, password }: MailSettings): string[] {
  if (password === '') return [];
  const encoded = [`\0${account}\0${password}`, password].map((text) => Buffer.from(text).toString('base64'));
  return [...encoded, password];
}

const tooLate = () => Object.assign(new Error('the mail server took too long'), { code: lateCode });

const addressIn = (text: string) => /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
