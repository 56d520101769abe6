import type { ReactNode } from 'react';
import { neverExpires, type Token, tokenStatus } from '../../../../core/schemas/token.ts';
import { lastUsed } from '../../../../core/schemas/token-status.ts';
import { wordsIn } from '../../../../core/text/text.ts';
import { formatTime } from '../../../flag/value.ts';
import type { Subject } from '../../../limits-of.ts';
import { type Detail, type DetailLink, Details } from '../../components/details.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { useQuota } from '../../hooks/use-quota.ts';
import { maskWith } from '../../symbol.ts';
import { useLimits } from '../limit/use-limits.ts';
import { LimitScreen } from '../limit.tsx';
import type { LogScope } from '../log/read-logs.ts';
import { LogScreen } from '../log.tsx';

/** With the name of whose it is. */
export interface OwnedToken extends Token {
  owner: string;
}

export function TokenDetails({ token, trail }: { token: OwnedToken; trail: readonly string[] }) {
  const environment = useEnvironment();
  const { speak } = environment;
  const quota = useQuota();
  const { id, name } = token;
  const links: DetailLink[] = [
    {
      key: 'l',
      label: speak('tui.keyRequests'),
      open: () => <LogScreen scope={tokenScope(token, trail, speak)} />,
    },
    { key: 'L', label: speak('tui.keyLimits'), open: () => tokenLimits(token, trail, speak) },
  ];
  const limits = useLimits(tokenSubject(token));
  const details = [...tokenDetails(token, environment, quota), ...limits];
  return <Details title={speak('tui.token.title', { id, name })} details={details} links={links} />;
}

const tokenSubject = ({ id }: Token): Subject => ({ subject_kind: 'token', subject: String(id) });

/** What limits a token, to be changed. */
export function tokenLimits(token: OwnedToken, trail: readonly string[], speak: Environment['speak']): ReactNode {
  return <LimitScreen subject={tokenSubject(token)} trail={tokenScope(token, trail, speak).trail} />;
}

/** The requests of a token, told apart from those of other users' tokens of the same name. */
export function tokenScope(
  { name, user_id, owner }: OwnedToken,
  trail: readonly string[],
  speak: Environment['speak'],
): LogScope {
  const path = trail.length > 0 ? trail : [speak('tui.tokens'), owner];
  return { trail: [...path, name], userId: user_id, tokenName: name };
}

export function lastUsedText(token: Token, speak: Environment['speak']): string {
  const time = lastUsed(token);
  return time === 0 ? speak('tui.token.unused') : formatTime(time);
}

export function tokenDetails(token: OwnedToken, environment: Environment, quota: (units: number) => string): Detail[] {
  const { speak } = environment;
  const { unlimited_quota, model_limits_enabled, model_limits } = token;
  return [
    [speak('tui.token.field.user'), token.owner],
    [speak('tui.token.detail.status'), tokenStatusText(token, environment)],
    [speak('tui.token.detail.key'), keyText(token, environment)],
    [speak('tui.token.field.quota'), unlimited_quota ? speak('tui.token.unlimited') : quota(token.remain_quota)],
    [speak('tui.token.detail.used'), quota(token.used_quota)],
    [
      speak('tui.token.field.expires'),
      token.expired_time === neverExpires ? speak('tui.token.never') : formatTime(token.expired_time),
    ],
    [
      speak('tui.token.field.models'),
      model_limits_enabled ? model_limits.split(',').join(', ') : speak('tui.token.all'),
    ],
    [speak('tui.token.field.addresses'), token.allow_ips.split('\n').join(', ') || speak('tui.token.all')],
    [speak('tui.token.field.group'), token.group || speak('tui.token.ofOwner')],
    [speak('tui.token.detail.created'), formatTime(token.created_time)],
    [speak('tui.token.detail.accessed'), lastUsedText(token, speak)],
  ];
}

/** The masked key, or why it cannot be shown. */
export function keyText({ key, key_problem }: Token, { symbols, language }: Environment): string {
  return key_problem === undefined ? maskWith(symbols, `sk-${key}`) : wordsIn(language, key_problem);
}

/** The whole key, on lines of its own so that it can be marked with the mouse. */
export function TokenKey({ token: { id, name, key, owner } }: { token: OwnedToken }) {
  const { speak } = useEnvironment();
  const details: Detail[] = [
    ['', ''],
    ['', `sk-${key}`],
    ['', ''],
    ['', speak('tui.token.keyNote', { owner })],
  ];
  return <Details title={speak('tui.token.keyTitle', { id, name })} details={details} />;
}

export function tokenStatusText({ status }: Token, { speak, symbols }: Environment): string {
  const words: Record<number, string> = {
    [tokenStatus.enabled]: `${symbols.on} ${speak('tui.token.enabled')}`,
    [tokenStatus.disabled]: `${symbols.off} ${speak('tui.token.disabled')}`,
    [tokenStatus.expired]: `${symbols.auto} ${speak('tui.token.expired')}`,
    [tokenStatus.exhausted]: `${symbols.auto} ${speak('tui.token.exhausted')}`,
  };
  return words[status] ?? String(status);
}
