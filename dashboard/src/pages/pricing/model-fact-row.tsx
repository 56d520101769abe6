import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { ModelFacts } from '../../../../core/schemas/model-fact.ts';
import { contextSize } from '../../state/compact-number.ts';
import { useFormat } from '../../state/format.ts';

const useStyles = makeStyles({
  facts: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXXL}`,
    margin: `0 0 ${tokens.spacingVerticalM}`,
  },
  fact: { display: 'flex', flexDirection: 'column' },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  value: { margin: 0, fontVariantNumeric: 'tabular-nums' },
});

/** What price lists say of a model besides its price: its sizes, what it reads, writes and can do, its first day and its last. */
export function ModelFactRow({ row, maker }: { row: ModelFacts; maker?: string }) {
  const { t } = useTranslation('pricing');
  const styles = useStyles();
  const format = useFormat();
  const size = (tokenCount: number) =>
    tokenCount > 0 && <span title={t('context', { size: format.number(tokenCount) })}>{contextSize(tokenCount)}</span>;
  const kinds = (list: ModelFacts['input_modalities']) => list.map((one) => t(`modality.${one}`)).join(', ');
  const facts = [
    { key: 'maker', value: maker },
    { key: 'context', value: size(row.context_window) },
    { key: 'maxOutput', value: size(row.max_output) },
    { key: 'reads', value: kinds(row.input_modalities) },
    { key: 'writes', value: kinds(row.output_modalities) },
    { key: 'abilities', value: row.abilities.map((one) => t(`ability.${one}`)).join(', ') },
    { key: 'released', value: row.released_on },
    { key: 'retires', value: (row.retires_on || row.is_deprecated) && <RetirementBadge row={row} /> },
  ].filter(({ value }) => value);
  if (facts.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {facts.map(({ key, value }) => (
        <div key={key} className={styles.fact}>
          <dt className={styles.name}>{t(`fact.${key}`)}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Its last day, red once it has passed; or only that its vendor advises against it. */
export function RetirementBadge({ row }: { row: Pick<ModelFacts, 'retires_on' | 'is_deprecated'> }) {
  const { t } = useTranslation('pricing');
  if (!row.retires_on && !row.is_deprecated) return null;
  const isOver = row.retires_on !== '' && row.retires_on < new Date().toISOString().slice(0, 10);
  return (
    <Badge appearance="tint" color={isOver ? 'danger' : 'warning'}>
      {row.retires_on ? t(isOver ? 'retired' : 'retires', { day: row.retires_on }) : t('deprecated')}
    </Badge>
  );
}
