import { Button } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { Gauge20Regular } from '@fluentui/react-icons/svg/gauge';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Limit, limitMeasures, limitSubjectKinds } from '../../../../core/schemas/limit.ts';
import { type LimitFilters, listLimits } from '../../api/limit.ts';
import { SelectFilter } from '../../components/list/filter.tsx';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useList } from '../../components/list/use-list.ts';
import { LimitUse, StateBadge, useLimitColumns } from './use-limit-columns.tsx';
import { useLimitRow } from './use-limit-row.tsx';
import { useLimitText } from './use-limit-text.ts';

const LimitEditor = lazy(() => import('./limit-editor.tsx').then((file) => ({ default: file.LimitEditor })));

const noFilters: LimitFilters = { subject_kind: '', subject: '', measure: '' };

/** All limits and budgets, with what is used of each. */
export function LimitPage() {
  const { t } = useTranslation('limit');
  const { whole } = useLimitText();
  const [open, setOpen] = useState<{ limit?: Limit }>();
  const list = useList({ name: 'limit', filters: noFilters, load: listLimits });
  const { subject_kind: kind, subject } = list.filters;
  const isNamed = kind === 'group' || kind === 'model';
  const columns = useLimitColumns({ isOfOne: subject !== '' });
  const actionsOf = useLimitRow((limit) => setOpen({ limit }));
  const addButton = (
    <Button appearance="primary" icon={<Add20Regular />} onClick={() => setOpen({})}>
      {t('add')}
    </Button>
  );
  const all = (text: string) => ({ value: '', text });
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        sections={['limit']}
        action={addButton}
        list={list}
        columns={columns}
        rowName={whole}
        rowActions={actionsOf}
        card={{
          status: (limit) => <StateBadge limit={limit} />,
          figure: (limit) => <LimitUse limit={limit} isOfOne={subject !== ''} hasReset />,
        }}
        filters={
          <>
            <SelectFilter
              // The name of a user, say, is not the name of a model.
              list={{ ...list, setFilters: (filters) => list.setFilters({ ...filters, subject: '' }) }}
              name="subject_kind"
              label={t('filter.kind')}
              choices={[
                all(t('filter.allKinds')),
                ...limitSubjectKinds.map((value) => ({ value, text: t(`kinds.${value}`) })),
              ]}
            />
            {(isNamed || subject !== '') && (
              <SearchFilter list={list} name="subject" label={t(isNamed ? `kind.${kind}` : 'filter.id')} />
            )}
            <SelectFilter
              list={list}
              name="measure"
              label={t('filter.measure')}
              choices={[
                all(t('filter.allMeasures')),
                ...limitMeasures.map((value) => ({ value, text: t(`measure.${value}`) })),
              ]}
            />
          </>
        }
        empty={{ icon: <Gauge20Regular />, text: t('empty'), action: addButton }}
      />
      <Suspense fallback={null}>
        {open && <LimitEditor limit={open.limit} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}
