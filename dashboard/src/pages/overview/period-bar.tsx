import { makeStyles, ProgressBar, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { SelectFilter } from '../../components/list/filter.tsx';
import { RangeFilter } from '../../components/list/range-filter.tsx';
import { rangeChoice } from '../../components/list/time-range.ts';
import { units } from '../detail/usage-series.ts';
import { CutNote } from './cut-note.tsx';
import { type PeriodFilters, periodChoices, periodOf } from './period.ts';

const useStyles = makeStyles({
  bar: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, alignItems: 'center' },
  // Uses the standard gap.
  busy: { height: '2px', marginBottom: `calc(-2px - ${tokens.spacingVerticalL})` },
});

interface PeriodBarProps {
  filters: PeriodFilters;
  setFilters: (changed: Partial<PeriodFilters>) => void;
  /** Another time is being read; what is read again by itself is no news. */
  isBusy: boolean;
}

/** The time that rules the whole page, what it is compared with, and how fine charts are. */
export function PeriodBar({ filters, setFilters, isBusy }: PeriodBarProps) {
  const { t } = useTranslation(['overview', 'detail']);
  const styles = useStyles();
  const { unit, isCut } = periodOf(filters);
  const list = { filters, setFilters };
  return (
    <>
      <div className={styles.bar} role="toolbar" aria-label={t('period')}>
        <RangeFilter list={list} choices={periodChoices} />
        {rangeChoice(filters) === 'today' && (
          <SelectFilter
            list={list}
            name="compare"
            label={t('compareLabel')}
            choices={[
              { value: '', text: t('compare.today') },
              { value: 'week', text: t('compare.todayWeek') },
            ]}
          />
        )}
        <SelectFilter
          list={{ filters: { unit }, setFilters }}
          name="unit"
          label={t('detail:filter.unit')}
          choices={units.map((value) => ({ value, text: t(`detail:unit.${value}`) }))}
        />
      </div>
      <div className={styles.busy}>
        {isBusy && <ProgressBar aria-label={t('shell:state.loading')} thickness="medium" />}
      </div>
      {isCut && <CutNote />}
    </>
  );
}
