import { Button } from '@fluentui/react-components';
import { Image20Regular } from '@fluentui/react-icons/svg/image';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Drawing } from '../../../../core/schemas/drawing.ts';
import { type DrawingFilters, listDrawings } from '../../api/drawing.ts';
import type { Column } from '../../components/list/column.ts';
import { ListPage } from '../../components/list/list-page.tsx';
import { MoreFilters } from '../../components/list/more-filters.tsx';
import { RangeFilter } from '../../components/list/range-filter.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useList } from '../../components/list/use-list.ts';
import { ownerColumns } from '../../components/work/owner-column.tsx';
import {
  isUnderWay,
  useWorkPolling,
  WorkDuration,
  WorkFacts,
  WorkProgress,
  WorkStatus,
  WorkText,
} from '../../components/work/work-cell.tsx';
import { useFormat } from '../../state/format.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { DrawingDialog } from './drawing-dialog.tsx';
import { pictureAddress } from './picture-address.ts';

const noFilters: DrawingFilters = {
  ...{ mj_id: '', channel_id: '', username: '' },
  ...{ range: 'month', start: '', end: '' },
};

/** What was drawn, and how far the drawings under way have come. */
export function MidjourneyPage() {
  const { t } = useTranslation('midjourney');
  const admin = isAdmin(sessionUser.use());
  const [shown, setShown] = useState<Drawing>();
  const list = useList({ name: 'drawing', filters: noFilters, load: listDrawings });
  const columns = useDrawingColumns({ isAdmin: admin, onShow: setShown });
  useWorkPolling(list.rows?.some(isUnderWay) ?? false, list.refresh);
  return (
    <>
      <ListPage
        title={t('title')}
        purpose={t('purpose')}
        list={list}
        columns={columns}
        rowName={nameOf}
        rowDetail={detailOf}
        card={{
          status: (drawing) => <DrawingStatus drawing={drawing} />,
          figure: (drawing) => <DrawingFigures drawing={drawing} onShow={setShown} />,
        }}
        filters={
          <>
            <RangeFilter list={list} />
            <SearchFilter list={list} name="mj_id" label={t('filter.id')} />
            {admin && (
              <MoreFilters>
                <SearchFilter list={list} name="username" label={t('filter.username')} />
                <SearchFilter list={list} name="channel_id" label={t('filter.channel')} />
              </MoreFilters>
            )}
          </>
        }
        empty={{ icon: <Image20Regular />, text: t('empty') }}
      />
      {shown && <DrawingDialog drawing={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

const nameOf = ({ mj_id, id }: Drawing) => mj_id || `#${id}`;
const detailOf = (drawing: Drawing) => <DrawingDetail drawing={drawing} />;
const seconds = (milliseconds: number) => Math.round(milliseconds / 1000);

/** Whole seconds; undefined while it is not done. */
const durationOf = ({ submit_time: begun, finish_time: done }: Drawing) =>
  done > 0 && begun > 0 ? seconds(done - begun) : undefined;

interface DrawingColumnOptions {
  isAdmin: boolean;
  onShow: (drawing: Drawing) => void;
}

function useDrawingColumns({ isAdmin: admin, onShow }: DrawingColumnOptions): Column<Drawing>[] {
  const { t } = useTranslation('midjourney');
  const format = useFormat();
  return useMemo(() => {
    const forAdmins = ownerColumns<Drawing>({ channel: t('field.channel'), username: t('field.username') });
    const columns: Column<Drawing>[] = [
      {
        ...{ key: 'submitted', title: t('field.submitted'), minWidth: 148 },
        cell: ({ submit_time: time }) => format.time(seconds(time)),
      },
      ...(admin ? forAdmins : []),
      {
        ...{ key: 'action', title: t('field.action'), grow: 0.8, minWidth: 84 },
        cell: ({ action }) => t([`action.${action}`, 'unknown']),
      },
      { key: 'id', title: t('field.id'), minWidth: 110, cell: ({ mj_id: id }) => <WorkText text={id} /> },
      {
        ...{ key: 'code', title: t('field.code'), grow: 0.8, minWidth: 84, isHidden: true },
        cell: ({ code }) => t([`code.${code}`, 'unknown']),
      },
      {
        ...{ key: 'status', title: t('field.status'), grow: 0.7, minWidth: 84 },
        cell: (drawing) => <DrawingStatus drawing={drawing} />,
      },
      {
        ...{ key: 'progress', title: t('field.progress'), minWidth: 88 },
        cell: (drawing) => <DrawingProgress drawing={drawing} />,
      },
      {
        ...{ key: 'duration', title: t('field.duration'), grow: 0.6, minWidth: 68 },
        cell: (drawing) => <DrawingDuration drawing={drawing} />,
      },
      {
        ...{ key: 'image', title: t('field.image'), grow: 0.8, minWidth: 92, isInteractive: true },
        cell: (drawing) => <ShowButton drawing={drawing} onShow={onShow} />,
      },
      {
        ...{ key: 'prompt', title: t('field.prompt'), grow: 2, minWidth: 110 },
        cell: ({ prompt }) => <WorkText text={prompt} />,
      },
    ];
    return columns;
  }, [t, format, admin, onShow]);
}

function DrawingStatus({ drawing: { status } }: { drawing: Drawing }) {
  const { t } = useTranslation('midjourney');
  return <WorkStatus status={status} text={t([`status.${status}`, 'unknown'])} />;
}

function DrawingProgress({ drawing }: { drawing: Drawing }) {
  const { t } = useTranslation('midjourney');
  const { progress, status } = drawing;
  return <WorkProgress progress={progress} isFailed={status === 'FAILURE'} label={t('progress', { progress })} />;
}

function DrawingDuration({ drawing }: { drawing: Drawing }) {
  const { t } = useTranslation('midjourney');
  const duration = durationOf(drawing);
  return duration === undefined ? null : <WorkDuration seconds={duration} text={t('seconds', { value: duration })} />;
}

function ShowButton({ drawing, onShow }: { drawing: Drawing; onShow: (drawing: Drawing) => void }) {
  const { t } = useTranslation('midjourney');
  if (!pictureAddress(drawing)) return null;
  return (
    <Button size="small" icon={<Image20Regular />} onClick={() => onShow(drawing)}>
      {t('show')}
    </Button>
  );
}

function DrawingFigures({ drawing, onShow }: { drawing: Drawing; onShow: (drawing: Drawing) => void }) {
  return (
    <div style={{ display: 'grid', gap: '8px', justifyItems: 'start' }}>
      <DrawingProgress drawing={drawing} />
      <ShowButton drawing={drawing} onShow={onShow} />
    </div>
  );
}

function DrawingDetail({ drawing }: { drawing: Drawing }) {
  const { t } = useTranslation('midjourney');
  const format = useFormat();
  const { prompt, prompt_en: english, fail_reason: reason, quota, finish_time: finished, code } = drawing;
  return (
    <WorkFacts
      facts={[
        { label: t('field.prompt'), text: prompt },
        { label: t('field.promptEnglish'), text: english },
        { label: t('field.failReason'), text: reason },
        { label: t('field.code'), text: t([`code.${code}`, 'unknown']) },
        { label: t('field.finished'), text: finished > 0 ? format.time(seconds(finished)) : '' },
        { label: t('field.quota'), text: quota > 0 ? format.quota(quota) : '' },
      ]}
    />
  );
}
