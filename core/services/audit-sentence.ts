import type { Audit, AuditPart } from '../schemas/audit.ts';
import { type Language, templateOf, textIn } from '../text/text.ts';

type AuditFacts = Omit<Audit, 'sentence'>;

/**
 * Who did what, in words with the names of objects between them; `moneyOf` writes quota units as people read them. An action that is
 * not known, of a row from another version, is named as it is.
 */
export function sentenceOf(language: Language, row: AuditFacts, moneyOf: (quota: number) => string): AuditPart[] {
  const key = `audit.${keyOf(row)}`;
  const isOne = (row.after?.count ?? row.after?.deleted) === 1;
  const template =
    (isOne ? templateOf(language, 'notice', `${key}_one`) : undefined) ??
    templateOf(language, 'notice', key) ??
    templateOf(language, 'notice', 'audit.other') ??
    '';
  const parts = template
    .split(/\{(\w+)\}/)
    .map((text, index): AuditPart => (index % 2 === 0 ? { text } : partOf(text, { language, row, moneyOf })));
  return parts.filter(({ text }) => text !== '').map(withoutGap);
}

/** Chinese has a space beside a name, and none between its own words. */
function withoutGap(part: AuditPart, index: number, parts: AuditPart[]): AuditPart {
  const before = parts[index - 1];
  const isOwnWord = before !== undefined && before.kind === undefined && isChinese(before.text.slice(-1));
  return isOwnWord && isChinese(part.text.slice(1, 2)) ? { ...part, text: part.text.replace(/^ /, '') } : part;
}

const isChinese = (letter: string) => /\p{Script=Han}/u.test(letter);

/** The balance goes up or down. */
function keyOf({ action, after }: AuditFacts): string {
  if (action !== 'user.quota' || typeof after?.amount !== 'number') return action;
  return after.amount < 0 ? 'user.quota.down' : 'user.quota.up';
}

interface Reading {
  language: Language;
  row: AuditFacts;
  moneyOf: (quota: number) => string;
}

function partOf(name: string, { language, row, moneyOf }: Reading): AuditPart {
  const { action, before, after } = row;
  if (name === 'actor') return actorOf(language, row);
  if (name === 'object') return action.startsWith('limit.') ? limitOf(language, row) : objectOf(row);
  if (name === 'action') return { text: action };
  if (name === 'fields') {
    // A secret is one field to people, and two columns in the table.
    const names = Object.keys(after ?? before ?? {}).map((field) => field.replace(/_(hash|encrypted)$/, ''));
    const fields = [...new Set(names)].join(', ');
    return { text: fields || textIn(language, 'notice', 'audit.settings') };
  }
  if (name === 'amount') {
    const amount = Number(after?.amount ?? after?.quota ?? 0);
    return { text: moneyOf(action === 'user.quota' ? Math.abs(amount) : amount) };
  }
  return { text: String(after?.[name] ?? before?.[name] ?? 0) };
}

function actorOf(language: Language, { actor_id: id, actor_name: name }: AuditFacts): AuditPart {
  if (id > 0) return { text: name || `#${id}`, kind: 'user', id: String(id) };
  if (name && name !== 'system') return { text: name };
  return { text: textIn(language, 'notice', name ? 'audit.system' : 'audit.guest') };
}

/** A limit has no name: it is called by whose calls it counts. */
function limitOf(language: Language, row: AuditFacts): AuditPart {
  const { text } = objectOf(row);
  const { subject_kind: kind, subject } = row.before?.subject_kind ? row.before : (row.after ?? {});
  if (!kind) return { text };
  const key = subject ? `audit.limitOf.${kind}` : `audit.limitOfEach.${kind}`;
  const whose = (templateOf(language, 'notice', key) ?? '').replace('{subject}', String(subject));
  return whose ? { text: text + textIn(language, 'notice', 'audit.limitOf', { whose }) } : { text };
}

function objectOf({ object_kind: kind, object_id: id, object_name, before, after }: AuditFacts): AuditPart {
  // What is gone is called by the name it had.
  const name = object_name || [after, before].map((values) => values?.username ?? values?.name).find(Boolean);
  const text = String(name || (/^\d+$/.test(id) ? `#${id}` : id));
  if (kind === 'twoFactor') return { text, kind: 'user', id };
  if (kind === 'price') return { text: id, kind: 'model', id };
  return kind === 'user' || kind === 'channel' || kind === 'token' || kind === 'option' ? { text, kind, id } : { text };
}
