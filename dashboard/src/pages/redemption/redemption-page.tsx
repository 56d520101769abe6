import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { Broom20Regular } from '@fluentui/react-icons/svg/broom';
import { TicketDiagonal20Regular } from '@fluentui/react-icons/svg/ticket-diagonal';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Redemption } from '../../../../core/schemas/redemption.ts';
import { listRedemptions } from '../../api/redemption.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useList } from '../../components/list/use-list.ts';
import { useFormat } from '../../state/format.ts';
import type { Batch } from './code-list-dialog.tsx';
import { useRedemptionBulk } from './use-redemption-bulk.tsx';
import { MaskedCode, StatusBadge, useRedemptionColumns } from './use-redemption-columns.tsx';
import { useRedemptionRow } from './use-redemption-row.tsx';

const RedemptionEditor = lazy(() =>
  import('./redemption-editor.tsx').then((file) => ({ default: file.RedemptionEditor })),
);
const RedemptionDialog = lazy(() =>
  import('./redemption-dialog.tsx').then((file) => ({ default: file.RedemptionDialog })),
);
const CodeListDialog = lazy(() => import('./code-list-dialog.tsx').then((file) => ({ default: file.CodeListDialog })));

type Open =
  | { panel: 'editor'; redemption?: Redemption }
  | { panel: 'view'; redemption: Redemption }
  | { panel: 'batch'; batch: Batch };

const useStyles = makeStyles({ buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS } });

/** Codes worth quota: made in batches, handed out, watched. */
export function RedemptionPage() {
  const { t } = useTranslation('redemption');
  const styles = useStyles();
  const format = useFormat();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const list = useList({ name: 'redemption', filters: { keyword: '' }, load: listRedemptions });
  const columns = useRedemptionColumns();
  const bulkActions = useRedemptionBulk();
  const { actionsOf, removeInvalid } = useRedemptionRow({
    onView: (redemption) => setOpen({ panel: 'view', redemption }),
    onEdit: (redemption) => setOpen({ panel: 'editor', redemption }),
  });
  const addButton = (
    <Button appearance="primary" icon={<Add20Regular />} onClick={() => setOpen({ panel: 'editor' })}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        action={
          <div className={styles.buttons}>
            <Button icon={<Broom20Regular />} onClick={() => void removeInvalid()}>
              {t('clear.action')}
            </Button>
            {addButton}
          </div>
        }
        list={list}
        columns={columns}
        rowName={nameOf}
        rowActions={actionsOf}
        bulkActions={bulkActions}
        card={{
          status: (redemption) => <StatusBadge redemption={redemption} />,
          figure: (redemption) => (
            <>
              {format.quota(redemption.quota)} · {redemption.key_problem ?? <MaskedCode redemption={redemption} />}
            </>
          ),
        }}
        filters={<SearchFilter list={list} name="keyword" label={t('search')} />}
        empty={{ icon: <TicketDiagonal20Regular />, text: t('empty'), action: addButton }}
      />
      <Suspense fallback={null}>
        {open?.panel === 'editor' && (
          <RedemptionEditor
            redemption={open.redemption}
            onClose={close}
            onCreated={(batch) => setOpen({ panel: 'batch', batch })}
          />
        )}
        {open?.panel === 'view' && <RedemptionDialog redemption={open.redemption} onClose={close} />}
        {open?.panel === 'batch' && <CodeListDialog batch={open.batch} onClose={close} />}
      </Suspense>
    </>
  );
}

const nameOf = (redemption: Redemption) => redemption.name;
