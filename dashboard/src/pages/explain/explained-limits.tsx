import { Badge } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { explainedName } from '../../../../core/schemas/limit-subject.ts';
import type { ExplanationView } from '../../api/explain.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { LimitRows } from '../limit/limit-rows.tsx';
import { limitSubjectPath } from '../limit/use-limit-text.ts';

type ExplainedLimit = ExplanationView['limits'][number];

/** The limits and budgets that the request meets, with what is left of each; nothing where nothing limits it. */
export function ExplainedLimits({ view: { limits, token } }: { view: ExplanationView }) {
  const { t } = useTranslation(['explain', 'limit']);
  if (limits.length === 0) return null;
  const rows = limits.map((limit) => {
    const name = explainedName(limit, token);
    const { used, held, remaining, resets_at } = limit;
    const subject = name === undefined ? '' : limit.subject;
    return {
      key: `${limit.id} ${subject}`,
      limit,
      use: { subject, subject_name: name ?? '', used, held, remaining, resets_at, exhausted: remaining === 0 },
      name: <SubjectName limit={limit} name={name} />,
      badges: limit.refuses && (
        <Badge appearance="tint" color="danger">
          {t('explain:limits.refuses')}
        </Badge>
      ),
    };
  });
  return (
    <SectionCard title={t('explain:limits.title')} purpose={t('explain:limits.purpose')}>
      <LimitRows label={t('explain:limits.title')} rows={rows} />
    </SectionCard>
  );
}

function SubjectName({ limit, name }: { limit: ExplainedLimit; name: string | undefined }) {
  const { t } = useTranslation('limit');
  if (name === undefined) return t(`each.${limit.subject_kind}`);
  const path = limitSubjectPath({ ...limit, subject_name: name });
  return (
    <>
      {t(`kind.${limit.subject_kind}`)} {path ? <TextLink to={path}>{name}</TextLink> : name}
    </>
  );
}
