import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatQuota } from '../../../core/billing/quota.ts';
import type { Audit } from '../../../core/schemas/audit.ts';
import { userActions } from '../../../core/schemas/user.ts';
import { sentenceOf } from '../../../core/services/audit-sentence.ts';
import { type Language, templateOf } from '../../../core/text/text.ts';

const row: Audit = {
  id: 1,
  created_at: 1,
  actor_id: 1,
  actor_name: 'root',
  address: '',
  action: 'user.quota',
  object_kind: 'user',
  object_id: '7',
  object_name: 'alice',
  sentence: [],
  before: null,
  after: { amount: 2_500_000, note: '' },
};
const moneyOf = (quota: number) => formatQuota(quota, { inCurrency: true, quotaPerUnit: 500_000 });
const said = (changed: Partial<Audit>, language: Language = 'en') =>
  sentenceOf(language, { ...row, ...changed }, moneyOf)
    .map(({ text }) => text)
    .join('');

describe('a row of the audit log in words', () => {
  it('says who did what to whom, with money as money', () => {
    expect(said({})).toBe('root raised the balance of alice by $5.00');
    expect(said({ after: { amount: -500_000 } })).toBe('root lowered the balance of alice by $1.00');
    expect(said({}, 'zh')).toBe('root 将 alice 的余额增加了 $5.00');
    expect(said({ action: 'channel.update', object_kind: 'channel', object_name: 'main', after: { weight: 2 } })).toBe(
      'root changed weight of the channel main',
    );
    const newKey = { key_hash: '34…ec58', key_encrypted: 'v1…OtRw', priority: 2 };
    expect(said({ action: 'channel.update', object_kind: 'channel', object_name: 'main', after: newKey })).toBe(
      'root changed key, priority of the channel main',
    );
    expect(said({ action: 'log.retained', actor_id: 0, actor_name: 'system', after: { deleted: 5, days: 30 } })).toBe(
      '5 requests older than 30 days were deleted',
    );
  });

  it('names what is gone as it was called, by its number at last, and leads to what there is', () => {
    expect(said({ action: 'user.erase', object_name: '', before: { username: 'carol' }, after: null })).toBe(
      'root erased the user carol',
    );
    expect(said({ object_name: '', after: null })).toBe('root changed the balance of #7');
    expect(said({ actor_id: 0, actor_name: '', action: 'session.signInFailed' })).toBe('A visitor failed to sign in');
    expect(sentenceOf('en', row, moneyOf)).toContainEqual({ text: 'alice', kind: 'user', id: '7' });
    const limit = { action: 'limit.create', object_kind: 'limit', object_name: '', before: null };
    expect(said({ ...limit, after: { subject_kind: 'group', subject: 'vip' } })).toBe(
      'root created the limit #7 (group vip)',
    );
    expect(said({ ...limit, after: { subject_kind: 'user', subject: '' } }, 'zh')).toBe(
      'root 创建了限额 #7（每个用户）',
    );
    const bySystem = { ...limit, actor_id: 0, actor_name: 'system', after: { subject_kind: 'user', subject: '' } };
    expect(said(bySystem, 'zh')).toBe('系统创建了限额 #7（每个用户）');
    expect(said({ ...limit, action: 'limit.update', after: { amount: 5 } })).toBe(
      'root changed amount of the limit #7',
    );
    // Of another version.
    expect(said({ action: 'moon.land', object_kind: 'moon', object_name: '', after: null })).toBe(
      'root did moon.land on #7',
    );
  });

  it('knows every action that is recorded', () => {
    const folder = new URL('../../../core/', import.meta.url);
    const sources = ['services', 'jobs'].flatMap((part) =>
      readdirSync(new URL(part, folder), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(new URL(`${part}/${name}`, folder), 'utf8')),
    );
    const kinds = 'user|session|twoFactor|token|channel|redemption|topUp|option|log|ledger|settlement|database|secret';
    const literals = sources
      .filter((text) => /audit|store\.save|\brecord\(/.test(text))
      .flatMap((text) => [
        ...text.matchAll(new RegExp(`(?:action\\b.*|record\\(\\w+, |save\\(.*)'((?:${kinds})\\.\\w+)'`, 'g')),
      ])
      .map(([, action]) => action ?? '');
    const actions = [
      ...new Set([...literals, 'task.cancel', 'drawing.cancel', ...userActions.map((one) => `user.${one}`)]),
    ];
    expect(actions.length).toBeGreaterThan(55);
    const unknown = actions.filter((action) => !templateOf('en', 'notice', `audit.${action}`));
    expect(unknown).toEqual([]);
  });
});
