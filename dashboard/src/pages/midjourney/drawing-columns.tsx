import { makeStyles, tokens } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Drawing } from '../../../../core/schemas/drawing.ts';
import type { Column, RowCard } from '../../components/list/column.ts';
import { ownerColumns } from '../../components/work/owner-column.tsx';
import { WorkCost, WorkDuration, WorkProgress, WorkText } from '../../components/work/work-cell.tsx';
import { useFormat } from '../../state/format.ts';
import { Thumbnail } from './drawing-picture.tsx';
import { DrawingStatus } from './drawing-status.tsx';
import { secondsOf } from './drawing-text.ts';

interface DrawingColumnOptions {
  isAdmin: boolean;
  onShow: (drawing: Drawing) => void;
}

export function useDrawingColumns({ isAdmin: admin, onShow }: DrawingColumnOptions): Column<Drawing>[] {
  const { t } = useTranslation(['midjourney', 'work']);
  const format = useFormat();
  return useMemo(() => {
    const forAdmins = ownerColumns<Drawing>({ channel: t('field.channel'), username: t('field.username') });
    const columns: Column<Drawing>[] = [
      {
        key: 'image',
        title: t('field.image'),
        grow: 0.2,
        minWidth: 56,
        isInteractive: true,
        cell: (drawing) => <Thumbnail drawing={drawing} onShow={onShow} />,
      },
      {
        key: 'submitted',
        title: t('field.submitted'),
        minWidth: 148,
        cell: (drawing) => format.time(secondsOf(drawing).begun),
      },
      ...(admin ? forAdmins : []),
      {
        key: 'action',
        title: t('field.action'),
        grow: 0.7,
        minWidth: 80,
        cell: ({ action }) => t([`action.${action}`, 'unknown']),
      },
      {
        key: 'id',
        hiddenBelow: 1440,
        title: t('field.id'),
        minWidth: 96,
        cell: ({ mj_id: id }) => <WorkText text={id} />,
      },
      {
        key: 'code',
        title: t('field.code'),
        grow: 0.8,
        minWidth: 84,
        isHidden: true,
        cell: ({ code }) => t([`code.${code}`, 'unknown']),
      },
      {
        key: 'prompt',
        title: t('field.prompt'),
        grow: 2,
        minWidth: 78,
        cell: ({ prompt }) => <WorkText text={prompt} />,
      },
      {
        key: 'status',
        title: t('field.status'),
        grow: 0.7,
        minWidth: 108,
        cell: ({ status }) => <DrawingStatus status={status} />,
      },
      {
        key: 'progress',
        hiddenBelow: 1200,
        title: t('field.progress'),
        grow: 0.8,
        minWidth: 76,
        cell: ({ progress, status }) => <WorkProgress progress={progress} status={status} />,
      },
      {
        key: 'duration',
        hiddenBelow: 1330,
        title: t('field.duration'),
        grow: 0.6,
        minWidth: 80,
        cell: (drawing) => <WorkDuration status={drawing.status} {...secondsOf(drawing)} />,
      },
      {
        key: 'cost',
        title: t('work:cost'),
        grow: 0.6,
        minWidth: 80,
        isNumber: true,
        cell: ({ quota, refund }) => <WorkCost quota={quota} refund={refund} />,
      },
    ];
    return columns;
  }, [t, format, admin, onShow]);
}

const useStyles = makeStyles({
  figures: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, alignItems: 'flex-start' },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    // As wide as the card: else each row's bar is as wide as what is beside it leaves.
    alignSelf: 'stretch',
    gap: tokens.spacingHorizontalS,
  },
});

/** A drawing on a phone. */
export function drawingCard(onShow: (drawing: Drawing) => void): RowCard<Drawing> {
  return {
    status: ({ status }) => <DrawingStatus status={status} />,
    figure: (drawing) => <Figures drawing={drawing} onShow={onShow} />,
  };
}

function Figures({ drawing, onShow }: { drawing: Drawing; onShow: (drawing: Drawing) => void }) {
  const { t } = useTranslation(['midjourney', 'work']);
  const styles = useStyles();
  const format = useFormat();
  const times = secondsOf(drawing);
  return (
    <div className={styles.figures}>
      <span>{[t([`action.${drawing.action}`, 'unknown']), format.time(times.begun)].join(' · ')}</span>
      {drawing.prompt && <span>{drawing.prompt}</span>}
      <div className={styles.line}>
        <Thumbnail drawing={drawing} onShow={onShow} />
        <WorkProgress progress={drawing.progress} status={drawing.status} />
        <WorkDuration status={drawing.status} {...times} />
        <WorkCost quota={drawing.quota} refund={drawing.refund} />
      </div>
    </div>
  );
}
