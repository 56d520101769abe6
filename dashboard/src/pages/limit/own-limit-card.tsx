import { useTranslation } from 'react-i18next';
import type { Limit, LimitUsage } from '../../../../core/schemas/limit.ts';
import { isForEach, usageOfSubject } from '../../../../core/schemas/limit-subject.ts';
import { useOwnLimits } from '../../api/limit.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { sessionUser } from '../../state/session.ts';
import { type LimitRow, LimitRows } from './limit-rows.tsx';
import { limitSubjectPath, useLimitText } from './use-limit-text.ts';

interface OwnLimitCardProps {
  /** Only those of this token. */
  tokenId?: number;
  /** Only budgets. */
  isMoney?: boolean;
}

/** What an admin allows the own account, with what is left of it; nothing where nothing is limited. */
export function OwnLimitCard({ tokenId, isMoney = false }: OwnLimitCardProps) {
  const { t } = useTranslation('limit');
  const limits = useOwnLimits().data ?? [];
  const userId = sessionUser.use()?.id ?? 0;
  const nameOf = useOwnName();
  const wanted = limits.filter(
    ({ measure, subject_kind: kind }) =>
      (!isMoney || measure === 'budget') && (tokenId === undefined || kind === 'token'),
  );
  const rows = wanted.flatMap((limit): LimitRow[] =>
    usesOf(limit, { userId, tokenId }).map((use) => ({
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

/** A limit for each of a kind is as many as there are, as far as they have used something. */
function usesOf(limit: Limit, { userId, tokenId }: { userId: number; tokenId: number | undefined }): LimitUsage[] {
  const subject = limit.subject_kind === 'user' ? userId : tokenId;
  if (subject === undefined) return limit.usage;
  if (!isForEach(limit) && limit.subject !== String(subject)) return [];
  const use = usageOfSubject(limit, String(subject));
  return use ? [use] : [];
}

function useOwnName() {
  const { t } = useTranslation('limit');
  const { nameOf } = useLimitText();
  return (limit: Limit, use: LimitUsage) => {
    if (limit.subject_kind === 'user') return t('own.account');
    const path = limitSubjectPath({ ...limit, ...use });
    return (
      <>
        {t(`kind.${limit.subject_kind}`)} {path ? <TextLink to={path}>{nameOf(use)}</TextLink> : nameOf(use)}
      </>
    );
  };
}
