import { Badge, Checkbox, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PriceDiffRow } from '../../../../core/schemas/price-sync.ts';
import { SmallTable } from '../../components/small-table.tsx';
import { useFormat } from '../../state/format.ts';
import { priceFigures, useListedPrice } from '../../state/listed-price.ts';
import { useIsMobile } from '../../state/media.ts';
import { ChangeText } from '../overview/figure-card.tsx';

const useStyles = makeStyles({
  name: { display: 'flex', alignItems: 'flex-start', minWidth: 0 },
  words: { display: 'flex', flexDirection: 'column', alignItems: 'start', gap: '4px', paddingTop: '6px', minWidth: 0 },
  model: { overflowWrap: 'anywhere' },
  note: { color: tokens.colorNeutralForeground3 },
  card: { padding: '8px 0', borderBottom: `1px solid ${tokens.colorNeutralStroke3}` },
  figures: {
    display: 'grid',
    gridTemplateColumns: 'max-content 1fr',
    gap: `2px ${tokens.spacingHorizontalM}`,
    margin: '4px 0 0 32px',
    fontVariantNumeric: 'tabular-nums',
  },
  label: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0 },
});

interface PriceSyncTableProps {
  rows: PriceDiffRow[];
  chosen: ReadonlySet<string>;
  onChoose: (row: PriceDiffRow, isChosen: boolean) => void;
}

/** Old and new price of each model, with a box to choose it; on a phone one below the other. */
export function PriceSyncTable({ rows, chosen, onChoose }: PriceSyncTableProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const isMobile = useIsMobile();
  const price = useListedPrice(t('model:history.unpriced'));
  const change = useChange();
  const used = priceFigures.filter((figure) => rows.some(({ old, next }) => price.change(old, next, figure) !== ''));
  const name = (row: PriceDiffRow) => (
    <ModelChoice row={row} isChosen={chosen.has(row.model)} onChoose={(isChosen) => onChoose(row, isChosen)} />
  );
  if (isMobile) {
    return rows.map((row) => (
      <div key={row.model} className={styles.card}>
        {name(row)}
        <dl className={styles.figures}>
          {[
            ...used.map((figure) => ({
              label: t(`model:history.${figure}`),
              text: price.change(row.old, row.next, figure),
            })),
            { label: t('sync.change'), text: change(row) },
          ]
            .filter(({ text }) => text)
            .flatMap(({ label, text }) => [
              <dt key={label} className={styles.label}>
                {label}
              </dt>,
              <dd key={`${label} value`} className={styles.value}>
                {text}
              </dd>,
            ])}
        </dl>
      </div>
    ));
  }
  return (
    <SmallTable
      label={t('sync.table')}
      isWide
      columns={[
        { title: t('price.name') },
        ...used.map((figure) => ({ title: t(`model:history.${figure}`), isNumber: true })),
        { title: t('sync.change'), isNumber: true },
      ]}
      rows={rows.map((row) => ({
        key: row.model,
        cells: [name(row), ...used.map((figure) => price.change(row.old, row.next, figure)), change(row)],
      }))}
    />
  );
}

interface ModelChoiceProps {
  row: PriceDiffRow;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

function ModelChoice({ row: { model, held, groups, next }, isChosen, onChoose }: ModelChoiceProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const format = useFormat();
  const served = groups.length > 0 ? t('sync.served', { groups: groups.join(', ') }) : t('sync.notServed');
  return (
    <span className={styles.name}>
      <Checkbox aria-label={model} checked={isChosen} onChange={(_event, { checked }) => onChoose(checked === true)} />
      <span className={styles.words}>
        <Text weight="semibold" className={styles.model}>
          {model}
        </Text>
        <Text size={200} className={styles.note}>
          {served}
          {next.long_prompt && ` · ${t('sync.longPrompt', { size: format.number(next.long_prompt.above) })}`}
        </Text>
        {held && (
          <Badge appearance="tint" color="warning" size="small">
            {t(`sync.held.${held}`)}
          </Badge>
        )}
      </span>
    </span>
  );
}

/** `▲ 20%` or `▲ ×812`; new where there was no price. */
function useChange(): (row: PriceDiffRow) => ReactNode {
  const { t } = useTranslation('setting');
  return ({ old, change }) => {
    if (!old) return t('sync.new');
    if (change === null) return t('sync.otherKind');
    return <ChangeText now={100 + change} before={100} />;
  };
}
