import { useTranslation } from 'react-i18next';
import type { OwnLimit, OwnLimitUsage } from '../../../../core/schemas/limit.ts';
import { isForEach } from '../../../../core/schemas/limit-subject.ts';
import { useOwnLimits } from '../../api/limit.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { type LimitRow, LimitRows } from './limit-rows.tsx';
import { limitSubjectPath, useLimitText } from './use-limit-text.ts';

interface OwnLimitCardProps {
  /** Only those of this token. */
  tokenId?: number;
  /** Only budgets. */
  isMoney?: boolean;
}

/** More are on the pages of the tokens. */
const maxTokens = 10;

/** What an admin allows the own account, with what is left of it; nothing where nothing is limited. */
export function OwnLimitCard({ tokenId, isMoney = false }: OwnLimitCardProps) {
  const { t } = useTranslation('limit');
  const limits = useOwnLimits().data ?? [];
  const nameOf = useOwnName();
  const wanted = limits.filter(
    ({ measure, subject_kind: kind }) =>
      (!isMoney || measure === 'budget') && (tokenId === undefined || kind === 'token'),
  );
  const rows = wanted.flatMap((limit): LimitRow[] =>
    usesOf(limit, tokenId).map((use) => ({
      key: `${limit.id} ${use.subject}`,
      limit,
      use,
      ...(tokenId === undefined && { name: nameOf(limit, use) }),
    })),
  );
  if (rows.length === 0) return null;
  const kind = isMoney ? 'budget' : tokenId === undefined ? 'account' : 'token';
  return (
    <SectionCard title={t(`own.title.${kind}`)} purpose={t(`own.purpose.${kind}`)}>
      <LimitRows label={t(`own.title.${kind}`)} rows={rows} />
    </SectionCard>
  );
}

/** A limit for each token is as many as there are; elsewhere than on their pages, those of which something is used are shown. */
function usesOf(limit: OwnLimit, tokenId: number | undefined): OwnLimitUsage[] {
  if (tokenId !== undefined) return limit.usage.filter(({ subject }) => subject === String(tokenId));
  if (limit.subject_kind !== 'token' || !isForEach(limit)) return limit.usage;
  return limit.usage.filter(({ used = 0, held = 0 }) => used + held > 0).slice(0, maxTokens);
}

function useOwnName() {
  const { t } = useTranslation('limit');
  const { nameOf } = useLimitText();
  return (limit: OwnLimit, use: OwnLimitUsage) => {
    if (limit.subject_kind === 'user') return t('own.account');
    const path = limitSubjectPath({ ...limit, ...use });
    return (
      <>
        {t(`kind.${limit.subject_kind}`)} {path ? <TextLink to={path}>{nameOf(use)}</TextLink> : nameOf(use)}
      </>
    );
  };
}
