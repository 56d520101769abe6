import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { ArrowLeft20Regular } from '@fluentui/react-icons/svg/arrow-left';
import { Eye20Regular } from '@fluentui/react-icons/svg/eye';
import { History20Regular } from '@fluentui/react-icons/svg/history';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Audit } from '../../../../core/schemas/audit.ts';
import { maxCounted } from '../../../../core/schemas/page-size.ts';
import { type AuditFilters, listAudit } from '../../api/audit.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import type { Column } from '../../components/list/column.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useList } from '../../components/list/use-list.ts';
import { useFormat } from '../../state/format.ts';
import { AuditSentence } from './audit-sentence.tsx';

const ChangeDialog = lazy(() => import('./change-dialog.tsx').then((file) => ({ default: file.ChangeDialog })));

const useStyles = makeStyles({
  mono: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200, overflowWrap: 'anywhere' },
});

const noFilters: AuditFilters = { action: '', actor: '', object_kind: '', object_id: '' };

/** Who did what, newest first. `fixed` makes it the history of one object, within its page. */
export function AuditPage({ fixed }: { fixed?: Partial<AuditFilters> }) {
  const { t } = useTranslation('audit');
  const [open, setOpen] = useState<Audit>();
  const list = useList({ name: 'audit', filters: noFilters, ...(fixed && { fixed }), load: listAudit });
  const columns = useAuditColumns();
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        isPart={fixed !== undefined}
        action={
          !fixed && (
            <ButtonLink to="/setting?tab=system" icon={<ArrowLeft20Regular />}>
              {t('back')}
            </ButtonLink>
          )
        }
        list={{ ...list, isCapped: list.total === maxCounted }}
        columns={columns}
        rowName={nameOf}
        rowActions={(row) => [
          {
            key: 'show',
            label: t('detail.show'),
            icon: <Eye20Regular />,
            isFrequent: true,
            isDisabled: !row.before && !row.after,
            onSelect: () => setOpen(row),
          },
        ]}
        card={{ figure: (row) => <Moment row={row} /> }}
        filters={
          <>
            <SearchFilter list={list} name="action" label={t('filter.action')} />
            <SearchFilter list={list} name="actor" label={t('filter.actor')} />
            {!fixed && <SearchFilter list={list} name="object_id" label={t('filter.object')} />}
          </>
        }
        empty={{ icon: <History20Regular />, text: t('empty') }}
      />
      {open && (
        <Suspense fallback={null}>
          <ChangeDialog name={nameOf(open)} row={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  );
}

const nameOf = ({ sentence }: Audit) => sentence.map(({ text }) => text).join('');

function useAuditColumns(): Column<Audit>[] {
  const { t } = useTranslation('audit');
  return useMemo(
    () => [
      { key: 'time', title: t('field.time'), grow: 1.2, minWidth: 150, cell: (row) => <Moment row={row} /> },
      {
        key: 'what',
        title: t('field.what'),
        grow: 4,
        minWidth: 260,
        isInteractive: true,
        cell: (row) => <AuditSentence sentence={row.sentence} />,
      },
      { key: 'change', title: t('field.change'), grow: 2, minWidth: 160, cell: (row) => <Mono text={changeOf(row)} /> },
      {
        key: 'address',
        hiddenBelow: 1200,
        title: t('field.address'),
        minWidth: 120,
        cell: (row) => <Mono text={row.address} />,
      },
    ],
    [t],
  );
}

/** What it is now, or what was taken away. */
function changeOf({ before, after }: Audit): string {
  const fields = Object.entries(after ?? before ?? {});
  return fields
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

function Moment({ row }: { row: Audit }) {
  return <Text size={200}>{useFormat().time(row.created_at)}</Text>;
}

function Mono({ text }: { text: string }) {
  const styles = useStyles();
  return (
    <Text truncate wrap={false} block className={styles.mono} title={text}>
      {text || '–'}
    </Text>
  );
}
