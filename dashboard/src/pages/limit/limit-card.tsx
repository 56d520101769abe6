import { Badge, Button, Text } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Limit } from '../../../../core/schemas/limit.ts';
import { isForEach, usageOfSubject } from '../../../../core/schemas/limit-subject.ts';
import { type LimitSubject, useLimitsOf } from '../../api/limit.ts';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { RowMenu } from '../../components/list/row-menu.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { LimitRows } from './limit-rows.tsx';
import { useLimitRow } from './use-limit-row.tsx';
import { useLimitText } from './use-limit-text.ts';

const LimitEditor = lazy(() => import('./limit-editor.tsx').then((file) => ({ default: file.LimitEditor })));

/** What limits one token, user, group or model, for admins: its own limits, and those it gets as each of its kind. */
export function LimitCard({ of }: { of: LimitSubject & { name: string } }) {
  const { t } = useTranslation('limit');
  const { whole } = useLimitText();
  const [open, setOpen] = useState<{ limit?: Limit }>();
  const reading = useLimitsOf(of);
  const actionsOf = useLimitRow((limit) => setOpen({ limit }));
  const rows = (reading.data ?? []).map((limit) => ({
    key: String(limit.id),
    limit,
    use: usageOfSubject(limit, of.subject),
    badges: (
      <>
        {isForEach(limit) && <TextLink to={`/limit?subject_kind=${of.kind}`}>{t(`each.${of.kind}`)}</TextLink>}
        {!limit.enabled && (
          <Badge appearance="tint" color="informative">
            {t('off')}
          </Badge>
        )}
      </>
    ),
    ...(!isForEach(limit) && { actions: <RowMenu name={whole(limit)} actions={actionsOf(limit)} hasMenuOnly /> }),
  }));
  return (
    <>
      <SectionCard
        title={t('card.title')}
        purpose={t(`card.purpose.${of.kind}`)}
        aside={
          <Button icon={<Add20Regular />} onClick={() => setOpen({})}>
            {t('add')}
          </Button>
        }
      >
        <UntilLoaded reading={reading} />
        {reading.data && rows.length === 0 && <Text>{t(`card.none.${of.kind}`)}</Text>}
        {rows.length > 0 && <LimitRows label={t('card.title')} rows={rows} />}
      </SectionCard>
      <Suspense fallback={null}>
        {open && <LimitEditor limit={open.limit} of={of} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}
