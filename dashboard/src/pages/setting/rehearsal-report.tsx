import {
  MessageBar,
  MessageBarBody,
  makeStyles,
  Tab,
  TabList,
  Text,
  tokens,
  typographyStyles,
} from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RehearsalReport } from '../../../../core/schemas/price-rehearsal.ts';
import { FigureRow } from '../../components/figure-row.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { useFormat } from '../../state/format.ts';
import { useIsMobile } from '../../state/media.ts';
import { changeOf } from '../overview/change-direction.ts';

const useStyles = makeStyles({
  report: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
  // Its first word begins where the words above it do.
  tabs: { marginLeft: '-8px' },
  note: { color: tokens.colorNeutralForeground3 },
  below: { ...typographyStyles.caption1, color: tokens.colorNeutralForeground3 },
});

interface Line {
  key: string;
  name: string;
  calls: number;
  old_quota: number;
  new_quota: number;
}

type Subject = 'model' | 'user';

/** The sums of a rehearsal, and by model and user, those that change the most first. */
export function RehearsalReportView({ report }: { report: RehearsalReport }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const format = useFormat();
  const change = useChangeText();
  const [subject, setSubject] = useState<Subject>('model');
  const { total, model_count, user_count } = report;
  if (total.calls === 0 && report.skipped_calls === 0) return <Text>{t('rehearsal.none')}</Text>;
  const lines = linesOf(report, subject);
  const count = subject === 'model' ? model_count : user_count;
  return (
    <div className={styles.report}>
      <FigureRow
        figures={[
          { label: t('rehearsal.charged'), text: format.quota(total.old_quota) },
          { label: t('rehearsal.newSum'), text: format.quota(total.new_quota) },
          { label: t('rehearsal.change'), text: change(total) },
          { label: t('rehearsal.requests'), text: format.number(total.calls) },
        ]}
      />
      <TabList
        size="small"
        className={styles.tabs}
        aria-label={t('rehearsal.by')}
        selectedValue={subject}
        onTabSelect={(_event, { value }) => setSubject(value as Subject)}
      >
        <Tab value="model">{t('rehearsal.byModel', { count: model_count })}</Tab>
        <Tab value="user">{t('rehearsal.byUser', { count: user_count })}</Tab>
      </TabList>
      <LineTable subject={subject} lines={lines} />
      {count > lines.length && (
        <Text className={styles.note}>{t('rehearsal.more', { shown: lines.length, count })}</Text>
      )}
      <Skipped report={report} />
    </div>
  );
}

function LineTable({ subject, lines }: { subject: Subject; lines: Line[] }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const format = useFormat();
  const change = useChangeText();
  const isMobile = useIsMobile();
  const withUnits = (text: string, quota: number) => (
    <span title={t('shell:units', { count: quota, amount: format.number(quota) })}>{text}</span>
  );
  // The new sum is what a rehearsal is for: it stands on a phone, too, with the change beneath it.
  const figures = isMobile ? ['charged', 'newSum'] : ['requests', 'charged', 'newSum', 'change'];
  return (
    <SmallTable
      label={t(`rehearsal.table.${subject}`)}
      isWide={!isMobile}
      isLow
      columns={[
        { title: t(`rehearsal.${subject}`) },
        ...figures.map((key) => ({ title: t(`rehearsal.${key}`), isNumber: true })),
      ]}
      rows={lines.map((line) => ({
        key: line.key,
        cells: isMobile
          ? [
              line.name,
              withUnits(format.quota(line.old_quota), line.old_quota),
              <div key="new">
                {withUnits(format.quota(line.new_quota), line.new_quota)}
                <div className={styles.below}>{change(line)}</div>
              </div>,
            ]
          : [
              line.name,
              format.number(line.calls),
              withUnits(format.quota(line.old_quota), line.old_quota),
              withUnits(format.quota(line.new_quota), line.new_quota),
              withUnits(change(line), line.new_quota - line.old_quota),
            ],
      }))}
    />
  );
}

function linesOf({ models, users }: RehearsalReport, subject: Subject): Line[] {
  if (subject === 'model') return models.map(({ model, ...sums }) => ({ key: model, name: model, ...sums }));
  return users.map(({ user_id, username, ...sums }) => ({
    key: String(user_id),
    name: username || String(user_id),
    ...sums,
  }));
}

/** `+$2.50 (+12.5 %)` or `+$2.50 (▲ ×812)`; a dash when nothing changes. */
function useChangeText(): (sums: Pick<Line, 'old_quota' | 'new_quota'>) => string {
  const { t } = useTranslation('overview');
  const format = useFormat();
  return ({ old_quota, new_quota }) => {
    const change = new_quota - old_quota;
    if (change === 0) return '–';
    const sign = change > 0 ? '+' : '';
    const { direction, share } = changeOf(new_quota, old_quota, false);
    if (direction === 'new') return `${sign}${format.quota(change)}`;
    const times = t('overview:change.times', { times: format.number(Math.round(share + 1)) });
    const text = direction === 'times' ? times : `${sign}${format.percent(share)}`;
    return `${sign}${format.quota(change)} (${text})`;
  };
}

/** What is in no sum, and why. */
function Skipped({ report: { skipped, skipped_calls, refunded_calls } }: { report: RehearsalReport }) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const format = useFormat();
  return (
    <>
      {skipped_calls > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {t('rehearsal.skipped', { count: skipped_calls })}
            {skipped.slice(0, 5).map(({ reason, model, calls, quota }) => (
              <div key={`${reason} ${model}`}>
                {t('rehearsal.gapOf', { model, count: calls, quota: format.quota(quota) })}{' '}
                {t(`rehearsal.gap.${reason}`)}
              </div>
            ))}
          </MessageBarBody>
        </MessageBar>
      )}
      {refunded_calls > 0 && <Text className={styles.note}>{t('rehearsal.refunded', { count: refunded_calls })}</Text>}
    </>
  );
}
