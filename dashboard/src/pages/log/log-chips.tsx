import { makeStyles, ToggleButton, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { logType } from '../../../../core/schemas/log-type.ts';
import { useStatus } from '../../api/status.ts';
import type { Filtered } from '../../components/list/filtered.ts';

const useStyles = makeStyles({
  chips: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS, border: 0, margin: 0, padding: 0 },
});

/** A call that took this long is worth a look. */
const slowSeconds = '30';
/** One that cost this many dollars, too. */
const expensiveDollars = 0.1;

/** What people look for first, each one press away. */
export function LogChips({ list }: { list: Filtered }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const { quota_per_unit: perUnit } = useStatus();
  const expensive = String(Math.max(1, Math.round(expensiveDollars * perUnit)));
  const chips: [name: string, on: Record<string, string>][] = [
    ['errors', { type: String(logType.error) }],
    ['cut', { cut: 'true' }],
    ['slow', { min_seconds: slowSeconds }],
    ['expensive', { min_quota: expensive }],
  ];
  return (
    <fieldset aria-label={t('chip.label')} className={styles.chips}>
      {chips.map(([name, on]) => {
        const isOn = Object.entries(on).every(([key, value]) => list.filters[key] === value);
        const off = Object.fromEntries(Object.keys(on).map((key) => [key, '']));
        return (
          <ToggleButton key={name} size="small" checked={isOn} onClick={() => list.setFilters(isOn ? off : on)}>
            {t(`chip.${name}`)}
          </ToggleButton>
        );
      })}
    </fieldset>
  );
}
