import type { Mail } from '../../integrations/mail/smtp.ts';
import { type Details, type Language, textIn } from '../../text/text.ts';

export type MailText = Omit<Mail, 'to'>;

interface Content {
  subject: string;
  /** Paragraphs. */
  lines: string[];
  /** Shown large, to be copied. */
  code?: string;
  link?: string;
  /** Before which paragraph the code or the link stands. */
  place: number;
}

export function testMail(language: Language, system: string): MailText {
  const subject = textIn(language, 'notice', 'mail.test.subject', { system });
  const lines = (['mail.test.line1', 'mail.test.line2'] as const).map((key) =>
    textIn(language, 'notice', key, { system }),
  );
  return compose({ subject, lines, place: lines.length });
}

export function verificationMail(language: Language, system: string, code: string, minutes: number): MailText {
  return compose({ ...wordsOf('verification', language, { system, minutes }), code });
}

export function alreadyRegisteredMail(language: Language, system: string): MailText {
  return compose(wordsOf('registered', language, { system }));
}

export function resetMail(language: Language, system: string, link: string, minutes: number): MailText {
  return compose({ ...wordsOf('reset', language, { system, minutes }), link });
}

function wordsOf(mail: 'verification' | 'registered' | 'reset', language: Language, details: Details): Content {
  const say = (part: 'subject' | 'line1' | 'line2' | 'line3') =>
    textIn(language, 'notice', `mail.${mail}.${part}`, details);
  return { subject: say('subject'), lines: [say('line1'), say('line2'), say('line3')], place: 2 };
}

/** A notice about automatic changes, in both languages; the lines may contain foreign texts. */
export function noticeMail(
  systemName: string,
  write: (language: Language) => { title: string; lines: string[]; link?: string },
): MailText {
  const [zh, en] = (['zh', 'en'] as const).map((language) => {
    const { title, lines, link } = write(language);
    const place = lines.length;
    return compose({ subject: `${systemName}: ${title}`, lines, place, ...(link !== undefined && { link }) });
  }) as [MailText, MailText];
  return inBoth(zh, en);
}

function inBoth(zh: MailText, en: MailText): MailText {
  return {
    subject: `${zh.subject} / ${en.subject}`,
    html: `${zh.html}<hr>${en.html}`,
    text: `${zh.text}\n\n${en.text}`,
  };
}

function compose({ subject, lines, code, link, place }: Content): MailText {
  const plain = [...lines];
  const shown = code ?? link ?? '';
  const html = lines.map((line) => `<p>${escapeHtml(line)}</p>`);
  const marked = code
    ? `<p><strong style="font-size:1.5em;letter-spacing:0.1em">${escapeHtml(code)}</strong></p>`
    : `<p><a href="${escapeHtml(shown)}">${escapeHtml(shown)}</a></p>`;
  if (shown !== '') {
    plain.splice(place, 0, shown);
    html.splice(place, 0, marked);
  }
  // A line break in the system's name would start a header of its own.
  return { subject: subject.replace(/\p{C}/gu, ' '), html: html.join('\n'), text: plain.join('\n\n') };
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
