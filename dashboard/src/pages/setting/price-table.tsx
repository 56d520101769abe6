import {
  Badge,
  Button,
  makeStyles,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Text,
  tokens,
} from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { useTranslation } from 'react-i18next';
import { isPricedBySecond, largeVideoFactor, pricedVideo } from '../../../../core/schemas/video-price.ts';
import { useStatus } from '../../api/status.ts';
import { minTableRoom, useTableRoom } from '../../components/use-table-room.ts';
import { useOptionText } from '../../i18n/option-text.ts';
import { CellInput } from './cell-input.tsx';
import { optionOf, type PriceField, type PriceRow, type Prices, priceFields } from './use-prices.ts';

const useStyles = makeStyles({
  scroll: { overflowX: 'auto' },
  table: { minWidth: `${minTableRoom}px` },
  cell: { verticalAlign: 'top', paddingTop: '8px', paddingBottom: '8px' },
  name: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'start',
    gap: '4px',
    overflowWrap: 'anywhere',
    paddingTop: '2px',
  },
  last: { width: '72px' },
  model: { width: '30%' },
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

interface PriceTableProps extends Pick<Prices, 'set' | 'remove'> {
  rows: PriceRow[];
}

/** Ten models; where they have no room beside each other, each one below the other. */
export function PriceTable({ rows, set, remove }: PriceTableProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const optionText = useOptionText();
  const labelOf = (field: PriceField) => optionText(optionOf[field]).label;
  const { ref, hasRoom } = useTableRoom();
  const cell = (row: PriceRow, field: PriceField) => <PriceCell {...{ row, field, set }} />;
  const removeButton = ({ name }: PriceRow) => (
    <Button
      appearance="subtle"
      size="small"
      icon={<Delete20Regular />}
      aria-label={t('entry.remove', { name })}
      onClick={() => remove(name)}
    />
  );
  const cards = () =>
    rows.map((row) => (
      <div key={row.name} className={styles.card}>
        <div className={styles.head}>
          <ModelName row={row} />
          {removeButton(row)}
        </div>
        <div className={styles.pair}>
          {priceFields.map((field) => (
            <div key={field}>
              <Text size={200}>{labelOf(field)}</Text>
              {cell(row, field)}
            </div>
          ))}
        </div>
      </div>
    ));
  const table = () => (
    <div className={styles.scroll}>
      <Table size="small" className={styles.table} aria-label={t('price.table')}>
        <TableHeader>
          <TableRow>
            <TableHeaderCell className={styles.model}>{t('price.name')}</TableHeaderCell>
            {priceFields.map((field) => (
              <TableHeaderCell key={field}>{labelOf(field)}</TableHeaderCell>
            ))}
            <TableHeaderCell className={styles.last}>{t('shell:list.actions')}</TableHeaderCell>
          </TableRow>
        </TableHeader>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.name}>
              <TableCell className={styles.cell}>
                <ModelName row={row} />
              </TableCell>
              {priceFields.map((field) => (
                <TableCell key={field} className={styles.cell}>
                  {cell(row, field)}
                </TableCell>
              ))}
              <TableCell className={styles.cell}>{removeButton(row)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
  return <div ref={ref}>{hasRoom ? table() : cards()}</div>;
}

function ModelName({ row: { name, isOwn } }: { row: PriceRow }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  return (
    <span className={styles.name}>
      <Text weight="semibold">{name}</Text>
      {isOwn && (
        <Badge appearance="tint" size="small" color="brand">
          {t('price.own')}
        </Badge>
      )}
    </span>
  );
}

interface PriceCellProps extends Pick<Prices, 'set'> {
  row: PriceRow;
  field: PriceField;
}

function PriceCell({ row, field, set }: PriceCellProps) {
  const { label } = useOptionText()(optionOf[field]);
  const hint = useDollarHint(row, field);
  return (
    <CellInput
      label={`${row.name} ${label}`}
      value={row[field]}
      isOptional
      // A fixed price is all that counts.
      isDisabled={field !== 'price' && row.price !== undefined}
      hint={hint}
      onChange={(value) => set(row.name, { [field]: value === '' ? undefined : value })}
    />
  );
}

const million = 1_000_000;

/** What a ratio comes to in dollars, in a group of ratio 1; of a video's price, what it is for. */
function useDollarHint(row: PriceRow, field: PriceField): string | undefined {
  const { name, price, ratio, completionRatio, cacheRatio } = row;
  const { t, i18n } = useTranslation('setting');
  const { quota_per_unit: quotaPerUnit } = useStatus();
  const factors = { price: Number.NaN, ratio: 1, completionRatio, cacheRatio };
  const factor = factors[field];
  const dollars = new Intl.NumberFormat(i18n.language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 4,
  } as const);
  if (field === 'price' && typeof price === 'number' && isPricedBySecond(name))
    return t('price.perSecond', { ...pricedVideo, amount: dollars.format(price * largeVideoFactor) });
  if (price !== undefined || typeof ratio !== 'number' || typeof factor !== 'number' || Number.isNaN(factor))
    return undefined;
  return t('price.perMillion', { amount: dollars.format((ratio * factor * million) / quotaPerUnit) });
}
