import { Text } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Audit } from '../../../../core/schemas/audit.ts';
import type { PriceFigures } from '../../../../core/schemas/pricing.ts';
import { priceHistoryOptions } from '../../api/audit.ts';
import { useStatus } from '../../api/status.ts';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { WaitingSkeleton } from '../../components/object/waiting-skeleton.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';
import { usePriceText } from '../../state/price-text.ts';

const kinds = ['input', 'cached', 'output', 'call'] as const;

/** Who changed the price of a model, when, and from what to what. For admins: it is a part of the audit log. */
export function PriceHistory({ model }: { model: string }) {
  const { t } = useTranslation('model');
  const { data, error, refetch } = useQuery(priceHistoryOptions(model));
  const format = useFormat();
  const changeText = useChangeText();
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <WaitingSkeleton />;
  const actorOf = ({ actor_id: id, actor_name: name }: Audit) =>
    id > 0 ? <TextLink to={objectPath.user(id)}>{name}</TextLink> : t('history.system');
  const used = kinds.filter((kind) => data.items.some((change) => figureOf(change, kind)));
  return (
    <SectionCard title={t('history.title')}>
      {data.items.length === 0 ? (
        <Text>{t('history.none')}</Text>
      ) : (
        <SmallTable
          label={t('history.title')}
          isWide
          columns={[
            { title: t('history.time'), isWord: true },
            { title: t('history.actor') },
            ...used.map((kind) => ({ title: t(`history.${kind}`), isNumber: true })),
          ]}
          rows={data.items.map((change) => ({
            key: String(change.id),
            cells: [format.time(change.created_at), actorOf(change), ...used.map((kind) => changeText(change, kind))],
          }))}
        />
      )}
    </SectionCard>
  );
}

const figuresOf = (values: Audit['after']): PriceFigures => values ?? {};
const figureOf = ({ before, after }: Audit, kind: (typeof kinds)[number]) =>
  figuresOf(before)[kind] !== undefined || figuresOf(after)[kind] !== undefined;

/** `$0.15 → $0.40`; one figure where it stayed. */
function useChangeText() {
  const { t } = useTranslation('model');
  const { quota_per_unit: quotaPerUnit } = useStatus();
  const money = usePriceText();
  return ({ before, after }: Audit, kind: (typeof kinds)[number]): string => {
    const [was, is] = [figuresOf(before)[kind], figuresOf(after)[kind]];
    const text = (dollars: number | undefined) =>
      dollars === undefined ? t('history.unpriced') : money(dollars * quotaPerUnit);
    if (was === undefined && is === undefined) return '';
    return was === is ? text(is) : `${text(was)} → ${text(is)}`;
  };
}
