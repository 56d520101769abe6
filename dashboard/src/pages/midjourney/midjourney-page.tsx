import { Image20Regular } from '@fluentui/react-icons/svg/image';
import { useTranslation } from 'react-i18next';
import { type Drawing, drawingActions, drawingStatuses } from '../../../../core/schemas/drawing.ts';
import { type DrawingFilters, listDrawings } from '../../api/drawing.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { MoreFilters } from '../../components/list/more-filters.tsx';
import { RangeFilter } from '../../components/list/range-filter.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { type List, useList } from '../../components/list/use-list.ts';
import { ChoiceFilter } from '../../components/work/choice-filter.tsx';
import { OwnerFilters } from '../../components/work/owner-filters.tsx';
import { useShownRow } from '../../components/work/use-shown-row.ts';
import { isUnderWay, useWorkPolling } from '../../components/work/use-work-polling.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { drawingCard, useDrawingColumns } from './drawing-columns.tsx';
import { DrawingDialog } from './drawing-dialog.tsx';
import { drawingName } from './drawing-text.ts';

const noFilters: DrawingFilters = {
  mj_id: '',
  action: '',
  status: '',
  channel_id: '',
  username: '',
  range: 'month',
  start: '',
  end: '',
};

/** What was drawn, and how far the drawings under way have come. */
export function MidjourneyPage() {
  const { t } = useTranslation('midjourney');
  const admin = isAdmin(sessionUser.use());
  const list = useList({ name: 'drawing', filters: noFilters, load: listDrawings });
  const { shown, open, close } = useShownRow(list.rows);
  const columns = useDrawingColumns({ isAdmin: admin, onShow: open });
  useWorkPolling(list.rows?.some(isUnderWay) ?? false, list.refresh);
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        list={list}
        columns={columns}
        rowName={drawingName}
        card={drawingCard(open)}
        filters={<DrawingFilterRow list={list} isAdmin={admin} />}
        empty={{ icon: <Image20Regular />, text: t('empty') }}
      />
      {shown && <DrawingDialog drawing={shown} isAdmin={admin} onChange={list.refresh} onClose={close} />}
    </>
  );
}

function DrawingFilterRow({ list, isAdmin: admin }: { list: List<Drawing, DrawingFilters>; isAdmin: boolean }) {
  const { t } = useTranslation('midjourney');
  return (
    <>
      <RangeFilter list={list} />
      <MoreFilters>
        <ChoiceFilter
          {...{ list, name: 'status', label: t('field.status'), all: t('allStatuses'), values: drawingStatuses }}
          textOf={(value) => t(`status.${value}`)}
        />
        <ChoiceFilter
          {...{ list, name: 'action', label: t('field.action'), all: t('allTypes'), values: drawingActions }}
          textOf={(value) => t(`action.${value}`)}
        />
        <SearchFilter list={list} name="mj_id" label={t('filter.id')} />
        {admin && <OwnerFilters list={list} username={t('filter.username')} channel={t('filter.channel')} />}
      </MoreFilters>
    </>
  );
}
