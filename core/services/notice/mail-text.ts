import type { Language } from '../../errors/app-error.ts';
import type { Mail } from '../../integrations/mail/smtp.ts';

export type MailText = Omit<Mail, 'to'>;

interface Words {
  subject: string;
  /** Paragraphs; `{name}` is filled in. */
  lines: string[];
}

interface Content {
  language: Language;
  systemName: string;
  values: Record<string, string>;
  /** Shown large, to be copied. */
  code?: string;
  link?: string;
}

const verification: Record<Language, Words> = {
  en: {
    subject: '{system}: your verification code',
    lines: [
      'Hello, somebody, hopefully you, wants to use this address at {system}.',
      'The verification code is:',
      'It is valid for {minutes} minutes. If it was not you, ignore this mail.',
    ],
  },
  zh: {
    subject: '{system} 邮箱验证码',
    lines: [
      '您好，您正在 {system} 验证邮箱地址。',
      '您的验证码为：',
      '验证码 {minutes} 分钟内有效。如果不是本人操作，请忽略本邮件。',
    ],
  },
};

const alreadyRegistered: Record<Language, Words> = {
  en: {
    subject: '{system}: this address is registered already',
    lines: [
      'Hello, somebody, hopefully you, wanted to use this address at {system}.',
      'It belongs to an account already, so no code was made. Sign in with this address, or reset the password there; if the account was deleted, ask the administrator.',
      'If it was not you, ignore this mail.',
    ],
  },
  zh: {
    subject: '{system}：该邮箱已注册',
    lines: [
      '您好，有人尝试在 {system} 使用此邮箱地址。',
      '该邮箱已属于一个账户，因此没有生成验证码。请直接登录，或在登录页重置密码；如果该账户已注销，请联系管理员。',
      '如果不是本人操作，请忽略本邮件。',
    ],
  },
};

const reset: Record<Language, Words> = {
  en: {
    subject: '{system}: reset your password',
    lines: [
      'Hello, somebody, hopefully you, asked for a new password at {system}.',
      'Open this link to get one:',
      'It is valid for {minutes} minutes and works once. If it was not you, ignore this mail.',
    ],
  },
  zh: {
    subject: '{system} 密码重置',
    lines: [
      '您好，您正在进行 {system} 密码重置。',
      '请打开以下链接获取新密码：',
      '链接 {minutes} 分钟内有效，且只能使用一次。如果不是本人操作，请忽略本邮件。',
    ],
  },
};

const test: Record<Language, Words> = {
  en: {
    subject: '{system}: test mail',
    lines: ['This is a test mail of {system}.', 'It has arrived, so the mail settings are right.'],
  },
  zh: {
    subject: '{system} 测试邮件',
    lines: ['这是 {system} 的测试邮件。', '收到此邮件说明邮件设置正确。'],
  },
};

export function testMail(language: Language, systemName: string): MailText {
  return compose(test, { language, systemName, values: {} });
}

export function verificationMail(language: Language, systemName: string, code: string, minutes: number): MailText {
  return compose(verification, { language, systemName, values: { minutes: String(minutes) }, code });
}

export function alreadyRegisteredMail(language: Language, systemName: string): MailText {
  return compose(alreadyRegistered, { language, systemName, values: {} });
}

export function resetMail(language: Language, systemName: string, link: string, minutes: number): MailText {
  return compose(reset, { language, systemName, values: { minutes: String(minutes) }, link });
}

/** What happened while nobody looked, in both languages; the lines hold texts of others, in which nothing is filled in. */
export function noticeMail(
  systemName: string,
  write: (language: Language) => { title: string; lines: string[]; link?: string },
): MailText {
  const [zh, en] = (['zh', 'en'] as const).map((language) => {
    const { title, lines, link } = write(language);
    const values = Object.fromEntries(lines.map((line, index) => [`line${index}`, line]));
    const words = { subject: `{system}: ${title}`, lines: lines.map((_line, index) => `{line${index}}`) };
    return compose({ zh: words, en: words }, { language, systemName, values, ...(link !== undefined && { link }) });
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

/** What stands out, a code or a link, comes behind the second paragraph. */
function compose(words: Record<Language, Words>, { language, systemName, values, code, link }: Content): MailText {
  const { subject, lines } = words[language];
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'system' ? systemName : (values[name] ?? '')));
  const plain = lines.map(fill);
  const shown = code ?? link ?? '';
  const html = plain.map((line) => `<p>${escapeHtml(line)}</p>`);
  const marked = code
    ? `<p><strong style="font-size:1.5em;letter-spacing:0.1em">${escapeHtml(code)}</strong></p>`
    : `<p><a href="${escapeHtml(shown)}">${escapeHtml(shown)}</a></p>`;
  if (shown !== '') {
    plain.splice(2, 0, shown);
    html.splice(2, 0, marked);
  }
  // A line break in the system's name would start a header of its own.
  return { subject: fill(subject).replace(/\p{C}/gu, ' '), html: html.join('\n'), text: plain.join('\n\n') };
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
