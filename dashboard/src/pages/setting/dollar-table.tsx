import {
  Badge,
  Button,
  makeStyles,
  mergeClasses,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Text,
  tokens,
} from '@fluentui/react-components';
import { ArrowUndo20Regular } from '@fluentui/react-icons/svg/arrow-undo';
import { useTranslation } from 'react-i18next';
import { minTableRoom, useTableRoom } from '../../components/use-table-room.ts';
import { useFormat } from '../../state/format.ts';
import { CellInput } from './cell-input.tsx';
import { type DollarField, type DollarPrices, type DollarRow, dollarFields } from './use-dollar-prices.ts';
import type { PriceEffect } from './use-price-effect.ts';

const useStyles = makeStyles({
  scroll: { overflowX: 'auto' },
  table: { minWidth: `${minTableRoom}px` },
  cell: { verticalAlign: 'top', paddingTop: '8px', paddingBottom: '8px' },
  model: { width: '22%' },
  sum: { width: '82px' },
  figure: { paddingTop: '13px', fontVariantNumeric: 'tabular-nums' },
  last: { width: '60px' },
  name: { display: 'flex', flexDirection: 'column', gap: '4px', overflowWrap: 'anywhere', paddingTop: '2px' },
  badges: { display: 'flex', flexWrap: 'wrap', gap: '4px' },
  note: { color: tokens.colorNeutralForeground3 },
  card: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: '12px 0',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  head: { display: 'flex', justifyContent: 'space-between', gap: tokens.spacingHorizontalS },
  pair: { display: 'grid', gridTemplateColumns: '1fr 1fr', gap: tokens.spacingHorizontalM, alignItems: 'start' },
});

interface DollarTableProps extends Pick<DollarPrices, 'set' | 'remove'> {
  rows: DollarRow[];
  effect: PriceEffect;
}

/** Ten models with their prices in US dollars; where they have no room beside each other, each one below the other. */
export function DollarTable({ rows, set, remove, effect }: DollarTableProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { ref, hasRoom } = useTableRoom();
  const format = useFormat();
  const amount = (quota: number | undefined) => (quota === undefined ? '–' : format.quota(quota));
  const cell = (row: DollarRow, field: DollarField) => <DollarCell {...{ row, field, set }} />;
  const removeButton = ({ name, isOwn }: DollarRow) =>
    isOwn && (
      <Button
        appearance="subtle"
        size="small"
        icon={<ArrowUndo20Regular />}
        title={t('price.useDefault')}
        aria-label={t('price.useDefaultOf', { name })}
        onClick={() => remove(name)}
      />
    );
  const cards = () =>
    rows.map((row) => (
      <div key={row.name} className={styles.card}>
        <div className={styles.head}>
          <ModelCell row={row} />
          {removeButton(row)}
        </div>
        <div className={styles.pair}>
          {dollarFields.map((field) => (
            <div key={field}>
              <Text size={200}>{t(`price.column.${field}`)}</Text>
              {cell(row, field)}
            </div>
          ))}
          <Text size={200}>{t('price.lastWeek', { amount: amount(effect.lastWeek(row.name)) })}</Text>
          {effect.state === 'known' && (
            <Text size={200}>{t('price.atNewPrice', { amount: amount(effect.atNewPrice(row.name)) })}</Text>
          )}
        </div>
      </div>
    ));
  const table = () => (
    <div className={styles.scroll}>
      <Table size="small" className={styles.table} aria-label={t('price.table')}>
        <TableHeader>
          <TableRow>
            <TableHeaderCell className={styles.model}>{t('price.name')}</TableHeaderCell>
            {dollarFields.map((field) => (
              <TableHeaderCell key={field}>{t(`price.column.${field}`)}</TableHeaderCell>
            ))}
            <TableHeaderCell className={styles.sum}>{t('price.column.lastWeek')}</TableHeaderCell>
            <TableHeaderCell className={styles.sum}>{t('price.column.atNewPrice')}</TableHeaderCell>
            <TableHeaderCell className={styles.last}>{t('shell:list.actions')}</TableHeaderCell>
          </TableRow>
        </TableHeader>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.name}>
              <TableCell className={styles.cell}>
                <ModelCell row={row} />
              </TableCell>
              {dollarFields.map((field) => (
                <TableCell key={field} className={styles.cell}>
                  {cell(row, field)}
                </TableCell>
              ))}
              <TableCell className={mergeClasses(styles.cell, styles.figure)}>
                {amount(effect.lastWeek(row.name))}
              </TableCell>
              <TableCell className={mergeClasses(styles.cell, styles.figure)}>
                {effect.state === 'counting' ? '…' : amount(effect.atNewPrice(row.name))}
              </TableCell>
              <TableCell className={styles.cell}>{removeButton(row)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
  return <div ref={ref}>{hasRoom ? table() : cards()}</div>;
}

function ModelCell({ row: { name, isOwn, isUnpriced, groups } }: { row: DollarRow }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  return (
    <span className={styles.name}>
      <Text weight="semibold">{name}</Text>
      <span className={styles.badges}>
        {isUnpriced && (
          <Badge appearance="tint" size="small" color="warning">
            {t('price.unpriced')}
          </Badge>
        )}
        {isOwn && (
          <Badge appearance="tint" size="small" color="brand">
            {t('price.own')}
          </Badge>
        )}
        <Text size={200} className={styles.note}>
          {groups.length > 0 ? t('price.servedIn', { groups: groups.join(', ') }) : t('price.notServed')}
        </Text>
      </span>
    </span>
  );
}

interface DollarCellProps extends Pick<DollarPrices, 'set'> {
  row: DollarRow;
  field: DollarField;
}

function DollarCell({ row, field, set }: DollarCellProps) {
  const { t } = useTranslation('setting');
  const value = row[field];
  const before = row.stored[field];
  const isPerCall = row.perCall !== undefined;
  const isPart = field === 'output' || field === 'cached';
  const hasInput = typeof row.input === 'number' && row.input > 0;
  return (
    <CellInput
      label={`${row.name} ${t(`price.column.${field}`)}`}
      value={value}
      prefix="$"
      isOptional
      // A price per call is all that counts; the other prices are stored as multiples of the input price.
      isDisabled={field !== 'perCall' && (isPerCall || (isPart && !hasInput))}
      hint={value === before ? undefined : t('price.was', { price: before === undefined ? '–' : `$${before}` })}
      onChange={(typed) => set(row, field, typed)}
    />
  );
}
